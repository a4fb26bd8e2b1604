interface Justification {
  /** The maximum number of lines. */
  lines: number
  reason: string
}

/** Files of more than 400 lines, and functions of more than 60 as `file name`. The list only gets shorter. */
export const justified: Readonly<Record<string, Justification>> = {
  'packages/prompts/src/langchain-prompt.ts langChainPrompt': {
    lines: 65,
    reason: 'one foreign prompt: its closures share what was read of the template',
  },
}
