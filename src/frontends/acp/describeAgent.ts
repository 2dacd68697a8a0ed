import type { InitializeResponse } from '@agentclientprotocol/sdk/unstable';
import { readVersion } from '../../utils/readVersion.js';

/** The answer to `initialize`: what a client may ask of us. */
export function describeAgent(): InitializeResponse {
  return {
    protocolVersion: 1,
    agentInfo: { name: 'huddle', title: 'Huddle', version: readVersion() },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: {
        list: {},
        resume: {},
        close: {},
        delete: {},
        fork: {},
        additionalDirectories: {},
      },
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true },
    },
    authMethods: [],
  };
}
