/** Returns the message of any thrown value. */
export function errorMessage(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  if (typeof message === 'string') return message
  try {
    return String(error)
  } catch {
    return 'it has no message'
  }
}
