/** How structured answers are asked for: the provider's way when there is one, in the prompt, or by a tool that enforces a format. */
export const programModes = ['default', 'openai', 'llm', 'guidance', 'lm-format-enforcer'] as const
/** How structured answers are asked for. */
export type ProgramMode = (typeof programModes)[number]
