import { ROUTES, type RouteName, type WebRoute } from '../../../src/frontends/web/routes.js';
import type { TestRequest } from './server.js';

/** Bodies and queries that the routes take, for those that need some. */
const GIVEN: Partial<Record<RouteName, Pick<TestRequest, 'body'> & { readonly query?: string }>> = {
  login: { body: { code: 'wrong' } },
  invite: { body: { role: 'watch' } },
  create: { body: {} },
  older: { query: '?before=10' },
  send: { body: { content: 'Hello' } },
  decide: { body: { requestId: 'r1', verdict: 'allow' } },
  act: { body: { do: 'cancel' } },
  search: { query: '?text=word' },
  export: { query: '?format=html' },
};

export const routes: readonly (readonly [name: RouteName, route: WebRoute])[] = Object.entries(
  ROUTES,
) as never;

/** A request that the route answers. */
export function requestTo(name: RouteName): TestRequest & { readonly method: string; readonly path: string } {
  const { method, path, isOnce }: WebRoute = ROUTES[name];
  const { query = '', body } = GIVEN[name] ?? {};
  return {
    method,
    path: path.replace(':id', '20261115-0212-9f3c').replace(':turn', 'turn-3') + query,
    body,
    ...(isOnce && { headers: { 'idempotency-key': 'once' } }),
  };
}
