/**
 * @module
 * The projects that can be made, and the models that they can begin with.
 */

/** A kind of project. */
export interface Door {
  /** What it is, as `docs/choose.md` calls it. */
  title: string
  /** The file that `npm start` runs. */
  main: string
  /** Its further files. */
  files: readonly string[]
  /** Scripts beside `start` and `typecheck`, with the arguments of the main file. */
  scripts: Readonly<Record<string, string>>
}

export const doors = {
  chat: {
    title: 'Chat in a page',
    main: 'src/chat.ts',
    files: ['src/script.ts', 'src/page.html', 'src/page.js'],
    scripts: {},
  },
  documents: {
    title: 'Answers from documents',
    main: 'src/documents.ts',
    files: ['docs/delivery.md', 'docs/fruit.md'],
    scripts: {},
  },
  durable: {
    title: 'Durable agents',
    main: 'src/durable.ts',
    files: ['src/script.ts'],
    scripts: { approve: 'approve' },
  },
  part: {
    title: 'One part in your framework',
    main: 'src/part.ts',
    files: [],
    scripts: {},
  },
} satisfies Record<string, Door>

export type DoorName = keyof typeof doors

/** A model that a project begins with. */
export interface ModelChoice {
  title: string
  /** The file `.env`, which is not committed. */
  env: string
}

export const models = {
  openai: {
    title: 'OpenAI, once OPENAI_API_KEY is set; scripted answers until then',
    env: '# OPENAI_API_KEY=sk-…\nMODEL=gpt-5-mini\n',
  },
  ollama: {
    title: 'Ollama on this machine, with qwen3',
    env: '# ollama pull qwen3\nMODEL_URL=http://localhost:11434/v1\nMODEL=qwen3\n',
  },
  none: {
    title: 'none: scripted answers, without a key and without a network',
    env: 'MODEL=none\n',
  },
} satisfies Record<string, ModelChoice>

export type ModelName = keyof typeof models
