import {
  chineseCost,
  chineseDecisions,
  chineseLimits,
  chineseSessionStatus,
  chineseTyped,
} from '../../../../catalogue/chinese/conversation.js';
import { chineseFailures } from '../../../../catalogue/chinese/failures.js';
import { chineseFilePlan } from '../../../../catalogue/chinese/filePlan.js';
import { chineseFileRecords } from '../../../../catalogue/chinese/fileRecords.js';
import { chineseJoining } from '../../../../catalogue/chinese/joining.js';
import { chineseNotices, chineseTelling } from '../../../../catalogue/chinese/telling.js';
import { chineseWeb, chineseWebLog } from '../../../../catalogue/chinese/web.js';
import { chineseWebPanels } from '../../../../catalogue/chinese/webPanels.js';
import { chineseWhy } from '../../../../catalogue/chinese/why.js';
import { chineseWishes } from '../../../../catalogue/chinese/wishes.js';
import { chineseElsewhere } from '../../../../catalogue/chinese/workers.js';

/** All sentences of the page in Chinese, those of panels among them. */
export const chinesePage = {
  language: 'zh-CN',
  joining: chineseJoining,
  decisions: chineseDecisions,
  notices: chineseNotices,
  fileRecords: chineseFileRecords,
  failures: chineseFailures,
  limits: chineseLimits,
  telling: chineseTelling,
  elsewhere: chineseElsewhere,
  sessionStatus: chineseSessionStatus,
  cost: chineseCost,
  typed: chineseTyped,
  wishes: chineseWishes,
  web: chineseWeb,
  webLog: chineseWebLog,
  filePlan: chineseFilePlan,
  webPanels: chineseWebPanels,
  why: chineseWhy,
};
