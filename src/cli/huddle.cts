#!/usr/bin/env node
// The entry is CommonJS because that starts as fast as bare Node; everything else is loaded when it is needed.
void import('./main.js').then(({ main }) => main(process.argv.slice(2)));
