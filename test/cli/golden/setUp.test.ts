import { playTable } from './playTable.js';

playTable({
  init: {
    'nothing is installed': {
      'huddle init --help': 0,
      'huddle init --preset choir': 2,
      'huddle init --prest pair': 2,
      'huddle init --preset review': 0,
      'huddle init': 2,
      'huddle init --force --preset pair --yes': 0,
    },
    'one of two agents is logged in': { 'huddle init': 0, '/bin/cat huddle.jsonc': 0 },
    'a folder is in the place of the team file': { 'huddle init --yes': 2, 'huddle init --force': 74 },
    'a file is in the place of the data folder': { 'huddle init': 74 },
  },

  'team-check': {
    'nothing is installed': {
      'huddle team check --help': 0,
      'huddle team check': 78,
      'huddle team check no.jsonc': 78,
      'huddle team check .': 78,
      'huddle team check --jsn': 2,
      'huddle team check one.jsonc two.jsonc': 2,
    },
    'the team has an architect and its tests': { 'huddle team check': 0, 'huddle team check --json': 0 },
    'the team has limits': { 'huddle team check unpriced.jsonc': 0 },
    'the team file is wrong': { 'huddle team check': 78, 'huddle team check huddle.jsonc --json': 78 },
    'the team file is half written': { 'huddle team check': 78 },
    'a folder is in the place of the team file': { 'huddle team check': 78 },
  },

  doctor: {
    'nothing is installed': { 'huddle doctor --help': 0, 'huddle doctor --jsn': 2, 'huddle doctor': 69 },
    'one of two agents is logged in': { 'huddle doctor': 77, 'huddle doctor --json': 77 },
    'one agent is old, and one does not say its version': { 'huddle doctor': 77 },
    'two agents are installed, and the folder is trusted': { 'huddle doctor': 0 },
    'nobody is logged in': { 'huddle doctor': 4 },
    'there is a team': { 'huddle doctor': 77 },
    'the team is trusted': { 'huddle doctor': 0 },
    'a program of the team is missing': { 'huddle doctor': 69 },
    'a member of the team is not logged in': { 'huddle doctor': 4 },
    'the user has settings': { 'huddle doctor': 77 },
    'the configuration file is wrong': { 'huddle doctor': 78, 'huddle sessions': 78 },
    'the team needs no agent CLI': { 'huddle doctor': 0 },
    'no program of the team is there': { 'huddle doctor': 69 },
    'the team file is wrong': { 'huddle doctor': 78 },
    'the record of trust is damaged': { 'huddle doctor': 77 },
    'the store is no database': { 'huddle doctor': 65 },
    'a file is in the place of the data folder': { 'huddle doctor': 74 },
    'there is a team, and a file in the place of the data folder': { 'huddle doctor': 74 },
  },

  config: {
    'nothing is installed': {
      'huddle config --help': 0,
      'huddle config': 0,
      'huddle config team': 0,
      'huddle config tema': 2,
      'huddle config --jsn': 2,
      'huddle config team prices': 2,
    },
    'the user has settings': {
      'huddle config': 0,
      'huddle config --json': 0,
      'huddle config prices': 0,
      'NO_COLOR=1 huddle config colours': 0,
    },
    'there is a team': { 'huddle config': 0 },
    'the configuration file is wrong': { 'huddle config': 78 },
  },

  'config-set': {
    'nothing is installed': {
      'huddle config set --help': 0,
      'huddle config set': 2,
      'huddle config set colours': 2,
      'huddle config set colors never': 2,
      'huddle config set colours sometimes': 2,
      'huddle config set colours never': 0,
      'huddle config set notifications off': 0,
      'huddle config set prices.gpt-5 cheap': 2,
      'huddle config set prices.gpt-5.3 1.25 10': 0,
      'huddle config set prices.gpt-5.3.cachedInput 0.125': 0,
      'huddle config set language zh-CN': 0,
      '/bin/cat ../.config/huddle/config.jsonc': 0,
      'huddle config set team no.jsonc': 78,
      'HUDDLE_TURN=1 huddle config set colours auto': 77,
      'XDG_CONFIG_HOME=/proc/x huddle config set colours auto': 74,
    },
    'the user has settings': {
      'huddle config set team ../teams/mine.jsonc': 0,
      'huddle config set colours never': 0,
      '/bin/cat ../.config/huddle/config.jsonc': 0,
    },
    'the configuration file is half written': { 'huddle config set colours never': 78 },
  },

  'config-unset': {
    'nothing is installed': {
      'huddle config unset --help': 0,
      'huddle config unset': 2,
      'huddle config unset tema': 2,
      'huddle config unset team': 0,
    },
    'the user has settings': {
      'huddle config unset prices.gpt-5.input': 2,
      'huddle config unset prices.gpt-5': 0,
      'huddle config unset team': 0,
      '/bin/cat ../.config/huddle/config.jsonc': 0,
    },
  },

  'config-path': {
    'nothing is installed': {
      'huddle config path --help': 0,
      'huddle config path': 0,
      'huddle config path team': 2,
    },
  },

  trust: {
    'nothing is installed': {
      'huddle trust --help': 0,
      'huddle trust': 77,
      'huddle trust .': 77,
      'huddle trust no/such/folder': 2,
      'huddle trust --yse': 2,
    },
    'two agents are installed': { 'huddle trust --yes': 0, 'huddle trust': 0 },
    'the team has an architect and its tests': {
      'huddle trust': 77,
      'huddle trust . --yes': 0,
      'huddle trust .': 0,
    },
    'the team file is half written': { 'huddle trust': 78 },
    'the record of trust is damaged': { 'huddle trust --yes': 77 },
    'there is a team, and a file in the place of the data folder': { 'huddle trust --yes': 74 },
  },

  completion: {
    'nothing is installed': {
      'huddle completion --help': 0,
      'huddle completion bash': 0,
      'huddle completion zsh': 0,
      'huddle completion fish': 0,
      'huddle completion powershell': 0,
      'huddle completion': 2,
      'huddle completion tcsh': 2,
      'huddle completion bash -- do': 0,
      'huddle completion zsh -- do': 0,
      'huddle completion fish -- do': 0,
      'huddle completion fish -- run --team ""': 0,
      'huddle completion powershell -- do': 0,
      'huddle completion bash -- why 1 --compare ""': 0,
    },
    'two sessions are kept': {
      'huddle completion fish -- show ""': 0,
      'huddle completion bash -- why 1 --compare ""': 0,
    },
    'the team file is half written': { 'huddle completion bash -- why 1 --compare ""': 78 },
    'the store is no database': { 'huddle completion bash -- show ""': 65 },
    'a file is in the place of the data folder': { 'huddle completion bash -- show ""': 74 },
  },
});
