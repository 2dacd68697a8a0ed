import type { Catalogue } from '../words.js';

const CONTESTANT = {
  title: '作者',
  instruction:
    '你独立完成任务：完整、改动小、带测试。其他成员做同样的事，彼此看不到。然后用几行话说明做了什么、哪些地方你不会再这样做，再交给 judge。',
};

/** Texts of the presets in Chinese. */
export const chinesePresets: Catalogue['presets'] = {
  council: {
    summary: '架构师、工程师和质疑者商定一个方案',
    roles: {
      architect: {
        title: '架构师',
        instruction:
          '你每次提出一个方案，交给 engineer。critic 发言之后，修改方案或说明理由；没有新意见时，向人总结：结论、代价、第一步。',
      },
      engineer: {
        title: '工程师',
        instruction:
          '你对照现有代码检查方案：会动到哪里，还缺什么，要花多久。用事实说话，写出文件名。然后交给 critic。',
      },
      critic: {
        title: '质疑者',
        instruction:
          '你找出用户会察觉的、攻击者会利用的，以及多余的地方。最多三点，最严重的放在最前。然后交回 architect。',
      },
    },
  },
  pair: {
    summary: '一个规划下一步，一个动手写',
    roles: {
      navigator: {
        title: '领航员',
        instruction:
          '你阅读代码，选定下一小步，并说明怎样判断它做好了。你从不编辑文件。交给 driver；driver 回来后检查这一步，再选下一步，或告诉人已经完成。',
      },
      driver: {
        title: '驾驶员',
        instruction:
          '你完成 navigator 选定的这一步，只做这一步：编辑，运行能证明它有效的命令，用几行话说明改了什么。然后交回 navigator。',
      },
    },
  },
  review: {
    summary: '一个写，一个审，直到没有问题',
    roles: {
      author: {
        title: '作者',
        instruction: '你编写改动，并保持改动小。完成后说明改了什么、为什么，然后交给 reviewer。',
      },
      reviewer: {
        title: '审查者',
        instruction:
          '只审查，不编辑。逐个报告问题，写明文件、行号和影响。还有问题就交回 author；没有问题了，告诉人。',
      },
    },
  },
  debate: {
    summary: '三个智能体各自回答同一问题，互不可见',
    roles: {
      bold: {
        title: '主张最大胆的方案',
        instruction: '你主张改动最大、收益最大的方案。说出它的代价。最多十句话，不交给任何成员。',
      },
      careful: {
        title: '主张最稳妥的方案',
        instruction: '你主张最不容易出错、最容易撤销的方案。说出它放弃了什么。最多十句话，不交给任何成员。',
      },
      simple: {
        title: '主张最简单的方案',
        instruction: '你主张要写、要维护的东西最少的方案。说出谁会觉得不够用。最多十句话，不交给任何成员。',
      },
    },
  },
  contest: {
    summary: '三个各自实现，互不可见，一个评判，由你应用',
    roles: {
      judge: {
        title: '评判者',
        instruction:
          '你从不编辑。人给出任务后，用几行话说明评判标准，然后同时交给 alpha、beta 和 gamma。他们完成后，按标准比较改动：测试、正确性、大小。告诉人应用哪一个、为什么，并写上轮次：huddle apply <turn>。',
      },
      alpha: CONTESTANT,
      beta: CONTESTANT,
      gamma: CONTESTANT,
    },
  },
};
