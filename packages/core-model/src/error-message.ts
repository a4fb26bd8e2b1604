/** The message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  const message = (error as { message?: unknown } | null | undefined)?.message
  if (typeof message === 'string') return message
  try {
    return String(error)
  } catch {
    return 'it has no message'
  }
}
