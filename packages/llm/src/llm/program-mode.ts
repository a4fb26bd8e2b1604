// A file of its own: schemas need `typebox`, which the main entry does not.
/** How structured answers are requested: by the API of the provider, in the prompt, or by a library that enforces a format. */
export const programModes = ['default', 'openai', 'llm', 'guidance', 'lm-format-enforcer'] as const
