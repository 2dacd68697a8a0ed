import { z } from 'zod';
import { ANSWERS, REFUSED } from './answers.js';
import { ROUTES, type RouteName, type WebRoute } from './routes.js';

const JSON_TYPE = 'application/json';
const ANSWER_TYPES = {
  json: JSON_TYPE,
  text: 'text/plain',
  attachment: 'application/octet-stream',
  stream: 'text/event-stream',
} as const;

/** The description of the whole API for programs: OpenAPI 3.1, made from the table of routes. */
export function describeApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, WebRoute][]) {
    const path = route.path.replaceAll(/:(\w+)/gu, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Huddle', version },
    paths,
    components: {
      schemas: { Error: schemaOf(REFUSED) },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-huddle-key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'huddle-<port>' },
      },
    },
    // Both, at once.
    security: [{ key: [], cookie: [] }],
  };
}

function describeRoute(name: RouteName, route: WebRoute): object {
  const { does, role, body, status = 200, answers = 'json' } = route;
  const answer = ANSWERS[name];
  return {
    operationId: name,
    summary: does,
    ...(role === 'nobody' && { security: [] }),
    'x-role': role,
    parameters: describeParameters(route),
    ...(body && {
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemaOf(body) } } },
    }),
    responses: {
      [status]: {
        description: does,
        ...(status !== 204 && {
          content: { [ANSWER_TYPES[answers]]: answer === undefined ? {} : { schema: schemaOf(answer) } },
        }),
      },
      default: {
        description: 'Error',
        content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function describeParameters({ path, query, isOnce }: WebRoute): readonly object[] {
  const names = Array.from(path.matchAll(/:(\w+)/gu), ([, name]) => name);
  const { properties = {}, required = [] } = query === undefined ? {} : schemaOf(query);
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(properties).map(([key, schema]) => ({
      name: key,
      in: 'query',
      required: required.includes(key),
      schema,
    })),
    ...(isOnce
      ? [{ name: 'idempotency-key', in: 'header', required: true, schema: { type: 'string' } }]
      : []),
  ];
}

/** As senders write it: what has a default may be left out. */
function schemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
