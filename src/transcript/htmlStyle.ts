/** How an exported page looks: a column of quiet cards, each with the colour of its speaker, light or dark. */
export const PAGE_STYLE = `
:root { --paper: #fbfaf8; --card: #fff; --ink: #1d1d1f; --faint: #6b6b70; --line: #e4e2dd; --code: #f3f1ec; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17181a; --card: #1f2023; --ink: #e8e6e3; --faint: #9a9aa0; --line: #323338; --code: #28292d; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1rem 4rem; max-width: 52rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
h2 { margin: 0 0 .5rem; font-size: .95rem; font-weight: 400; display: flex; flex-wrap: wrap; gap: .4rem; align-items: baseline; }
time { margin-left: auto; color: var(--faint); font-size: .8rem; }
.facts, footer, .notice { color: var(--faint); font-size: .85rem; }
.members { list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 1.5rem; padding: 0; font-size: .85rem; }
.members li { padding: .15rem .6rem; border: 1px solid var(--hue, var(--line)); border-radius: 1rem; }
article, .task, .ledger { margin: 0 0 1rem; padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line);
  border-left: 4px solid var(--hue, var(--line)); border-radius: .5rem; }
article h2 b { color: var(--hue, inherit); }
.notice { margin: 0 0 1rem; text-align: center; overflow-wrap: anywhere; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; unicode-bidi: isolate; }
li pre, code { font: .85rem/1.5 ui-monospace, monospace; background: var(--code); border-radius: .25rem; }
li pre { padding: .4rem .6rem; } code { padding: .05rem .3rem; overflow-wrap: anywhere; }
.draft { opacity: .7; border-left: 2px dashed var(--line); padding-left: .8rem; }
details { margin-top: .7rem; font-size: .88rem; }
summary { cursor: pointer; color: var(--faint); }
details ul { margin: .5rem 0 0; padding-left: 1.1rem; }
footer { margin-top: .6rem; }
table { border-collapse: collapse; margin-top: .6rem; font-size: .88rem; }
th, td { padding: .2rem .8rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.hue0 { --hue: #4c6ef5; } .hue1 { --hue: #e8590c; } .hue2 { --hue: #2b8a3e; } .hue3 { --hue: #9c36b5; }
.hue4 { --hue: #0b7285; } .hue5 { --hue: #c2255c; } .hue6 { --hue: #846400; } .hue7 { --hue: #5f6b7a; }
@media print { body { max-width: none; } article { break-inside: avoid; } }
`;
