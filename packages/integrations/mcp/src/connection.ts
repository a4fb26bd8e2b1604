/**
 * @module
 * What the failure of a connection says about a call, and results as the server sent them.
 */
import type { McpTool } from './mcp-types.ts'

/**
 * Returns whether a failed request reached a server that still knows this client. `refused`: the server did not accept it, so that it may be
 * repeated. `closed`: it may have run. Null for any other failure.
 */
export function lossOf(error: unknown): 'refused' | 'closed' | null {
  const { code, status, message, data, cause } = Object(error) as Record<string, unknown>
  const statuses = [code, status, (Object(data) as { status?: unknown }).status]
  // A server that has forgotten the session answers with 404, before it reads the request.
  if (statuses.includes(404) || code === 'NOT_CONNECTED' || message === 'Not connected') return 'refused'
  if ([code, (Object(cause) as { code?: unknown }).code].includes('ECONNREFUSED')) return 'refused'
  return code === -32000 || code === 'CONNECTION_CLOSED' ? 'closed' : null
}

/** Whether a repeated call changes nothing more, as the server says. */
export function isRepeatable({ annotations }: McpTool): boolean {
  return annotations?.idempotentHint === true || annotations?.readOnlyHint === true
}

/** A schema for both SDKs that accepts every result and keeps it: one odd block costs only itself, and failures keep their own text. */
export function keptResult() {
  const kept = {
    value: undefined as unknown,
    parse: (value: unknown) => {
      kept.value = value
      return value
    },
    safeParse: (value: unknown) => ({ success: true, data: kept.parse(value) }),
    '~standard': { version: 1, vendor: '@x', validate: (value: unknown) => ({ value: kept.parse(value) }) },
  }
  return kept
}
