// Stands in for a module of the same name in `@modelcontextprotocol/server`, which would load a checker of JSON Schema.
import process from 'node:process';

/** Never asked: our server wants no answers of a form from its clients. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This build of the MCP server checks no JSON Schema');
  }
}

export { process };
