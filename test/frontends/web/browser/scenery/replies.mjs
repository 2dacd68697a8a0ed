// Replies with all that a page has to show: code, tables, lists, Chinese, tools and files.

export const REPLIES = {
  plan: {
    tools: [
      { title: 'Read src/server.ts', output: '120 lines', kind: 'read' },
      {
        title: 'grep -rn "content-length" src',
        output: 'src/server.ts:41: const body = await read(request);',
      },
      { title: 'npm test -- --run upload', output: '12 passed, 0 failed\nDuration 1.4 s' },
    ],
    files: {
      'src/server.ts':
        "import { TooLarge } from './errors.js';\n\nconst MAX = 10 * 1024 * 1024;\n\nexport async function upload(request: Request): Promise<void> {\n  const body = await read(request);\n  if (body.length > MAX) throw new TooLarge();\n  save(body);\n}\n",
      'docs/limits.md': '# Limits\n\nUploads over 10 MB are refused with 413.\n',
    },
    text: `A limit of **10 MB**, checked before anything is saved:

\`\`\`ts
const MAX = 10 * 1024 * 1024; // bytes

export async function upload(request: Request): Promise<void> {
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > MAX) throw new TooLarge(\`\${length} bytes are more than \${MAX}\`);
  save(await read(request, { limit: MAX })); // stops at the limit if there is no content-length
}
\`\`\`

| case | answer | tested |
|---|---:|:-:|
| at the limit | 201 | ✓ |
| one byte more | 413 | ✓ |
| no \`content-length\` | 413 after 10 MB | ✓ |

1. \`src/server.ts\` refuses what is too large
2. \`docs/limits.md\` says so
   - [x] English
   - [ ] Chinese

> The old clients send no header; see https://example.com/rfc9110.`,
  },
  review: {
    tools: [
      {
        title: 'npm test',
        output: '41 passed, 1 failed\n✗ refuses a body without a length',
        kind: 'execute',
      },
    ],
    text: `Two things before this can ship:

- **\`read\` buffers everything.** With no \`content-length\` a client can send 2 GB before it is refused. Stop at the limit while reading.
- The error page says \`TooLarge\` and nothing else. Say the limit.`,
  },
  chinese: {
    text: `上传上限为 **10 MB**，超出时返回 \`413\`。没有 \`content-length\` 的请求，读到上限就停止：

\`\`\`ts
if (read > MAX) throw new TooLarge(); // 超出上限
\`\`\`

| 情况 | 结果 |
|---|---:|
| 正好 10 MB | 201 |
| 多一个字节 | 413 |

还有一点：错误页应写明上限，而不只是“请求过大”。`,
  },
};
