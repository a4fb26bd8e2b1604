/**
 * @module
 * The projects that can be made, and the models that they can begin with.
 */

/** A kind of project. */
export interface Template {
  /** What it is, as `docs/choose.md` calls it. */
  title: string
  /** The file that `npm start` runs. The model is beside it. */
  main: string
  /** The folders of `templates/` with its files; a file of a later one replaces that of an earlier one. */
  folders: readonly string[]
  /** What builds its page before the start and serves it; null without a page. */
  page: 'vite' | 'next' | 'workers' | null
  /** Files of the folders that it does not have. */
  without?: readonly string[]
}

export const templates = {
  chat: {
    title: 'Chat in a page',
    main: 'server/server.ts',
    folders: ['page', 'chat'],
    page: 'vite',
  },
  next: {
    title: 'Chat in a page, with Next',
    main: 'server/chat.ts',
    folders: ['page', 'chat', 'next'],
    page: 'next',
    without: ['index.html', 'vite.config.ts', 'src/main.tsx', 'server/server.ts'],
  },
  workers: {
    title: 'Chat in a page, on Cloudflare Workers',
    main: 'server/worker.ts',
    folders: ['page', 'chat', 'workers'],
    page: 'workers',
    without: ['server/server.ts'],
  },
  documents: {
    title: 'Answers from documents',
    main: 'server/server.ts',
    folders: ['page', 'documents'],
    page: 'vite',
  },
  durable: {
    title: 'Durable agents',
    main: 'server/server.ts',
    folders: ['page', 'chat', 'durable'],
    page: 'vite',
  },
  part: {
    title: 'One part in your framework',
    main: 'src/part.ts',
    folders: ['part'],
    page: null,
  },
} satisfies Record<string, Template>

export type TemplateName = keyof typeof templates

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
