import { acpView } from './table/acpView.mjs';
import { authority } from './table/authority.mjs';
import { carry } from './table/carry.mjs';
import { company } from './table/company.mjs';
import { conversation } from './table/conversation.mjs';
import { editors } from './table/editors.mjs';
import { files } from './table/files.mjs';
import { fleets } from './table/fleets.mjs';
import { forks } from './table/forks.mjs';
import { mcp } from './table/mcp.mjs';
import { output } from './table/output.mjs';
import { privacy } from './table/privacy.mjs';
import { processes } from './table/processes.mjs';
import { replay } from './table/replay.mjs';
import { sharedStore } from './table/sharedStore.mjs';
import { storage } from './table/storage.mjs';
import { stores } from './table/stores.mjs';
import { told } from './table/told.mjs';
import { web } from './table/web.mjs';
import { webLive } from './table/webLive.mjs';
import { webLog } from './table/webLog.mjs';
import { webPage } from './table/webPage.mjs';
import { webReading } from './table/webReading.mjs';
import { workers } from './table/workers.mjs';

/**
 * Changes that break a promise, and for each the test that must fail then: `file` has the text `find` once, which becomes
 * `replace`; `title` is in the full name of a test of the file `test`; `built`: that test runs the built program.
 */
export const mutations = [
  ...processes,
  ...replay,
  ...storage,
  ...stores,
  ...sharedStore,
  ...company,
  ...privacy,
  ...acpView,
  ...authority,
  ...conversation,
  ...editors,
  ...fleets,
  ...forks,
  ...mcp,
  ...output,
  ...files,
  ...carry,
  ...told,
  ...webReading,
  ...webLog,
  ...web,
  ...webLive,
  ...webPage,
  ...workers,
];
