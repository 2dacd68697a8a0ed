import { describe, expect, it } from 'vitest';
import { describeApi } from '../../../src/frontends/web/describeApi.js';
import { requestTo, routes } from './routeRequests.js';
import { startServer } from './server.js';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  readonly security?: readonly object[];
}

interface Description {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const description = describeApi('1.2.3') as Description;

describe('the description of the API', () => {
  it('is OpenAPI 3.1, and is served as it is made', async () => {
    const server = await startServer();
    const { text } = await server.ask({ ...requestTo('describe'), as: server.letIn() });
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(description)));
    expect(description).toMatchObject({ openapi: '3.1.0', info: { title: 'Huddle', version: '1.2.3' } });
  });

  it.each(routes)('has the route %s with its parameters, its body and its answer', (name, route) => {
    const { method, path, body, status = 200, isOnce, role } = route;
    const described = description.paths[path.replaceAll(/:(\w+)/gu, '{$1}')]?.[method.toLowerCase()];
    expect(described?.operationId).toBe(name);
    const places = (place: string) =>
      described?.parameters.filter((parameter) => parameter.in === place).map((parameter) => parameter.name);
    expect(places('path')).toEqual(Array.from(path.matchAll(/:(\w+)/gu), ([, each]) => each));
    expect(places('header')).toEqual(isOnce ? ['idempotency-key'] : []);
    expect(described?.requestBody !== undefined).toBe(body !== undefined);
    expect(Object.keys(described?.responses ?? {})).toEqual([String(status), 'default']);
    expect(described?.security).toEqual(role === 'nobody' ? [] : undefined);
  });

  it('says what may be left out, and what may not', () => {
    const list = description.paths['/api/conversations']?.get?.parameters;
    expect(list).toMatchObject([
      { name: 'scope', in: 'query', required: false, schema: { enum: ['here', 'all'], default: 'here' } },
      { name: 'text', required: false },
      { name: 'before', required: false },
    ]);
    const send = description.paths['/api/conversations/{id}/messages']?.post?.requestBody;
    expect(send).toMatchObject({
      content: {
        'application/json': {
          schema: { type: 'object', required: ['content'], additionalProperties: false },
        },
      },
    });
  });

  it('names no path twice', () => {
    const operations = Object.values(description.paths).flatMap((path) => Object.values(path));
    expect(operations).toHaveLength(routes.length);
  });
});
