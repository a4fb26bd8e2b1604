/**
 * @module
 * Creates the model: one of a server, or one of the AI SDK.
 */

import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AiSdkLanguageModel, AiSdkLLM } from '@x/ai-sdk'
import { type LLM, withRetry } from '@x/llm'
import { OpenAI } from '@x/openai'
import type { Terminal } from '../ask.ts'
import { ExitCode, ProgramError } from '../program-error.ts'
import { withoutControls } from '../terminal/text-width.ts'
import type { ModelOptions } from './model-options.ts'

/** The environment of a model. */
export interface ModelContext {
  /** The key of the server. */
  apiKey: string | undefined
  /** The folder that contains the packages of the user. */
  folder: string
  /** Called before a failed request is repeated. */
  onRetry: (message: string) => void
  /** Waits before a request is repeated. @defaultValue a timer */
  wait?: ((ms: number) => Promise<void>) | undefined
}

/** Returns a model. @throws {ProgramError} for a package that is not installed, or a key that is missing. */
async function chooseModel(options: ModelOptions, context: ModelContext): Promise<LLM> {
  const { provider, model, timeoutMs, textTools } = options
  const isFunctionCallingModel = !textTools
  if (provider.kind === 'server' && new URL(provider.baseUrl).hostname === 'api.openai.com' && !context.apiKey)
    throw new ProgramError(ExitCode.usage, 'openai: needs a key in the environment variable OPENAI_API_KEY.')
  const llm =
    provider.kind === 'ai-sdk'
      ? await aiSdkModel(provider.package, model, { folder: context.folder, isFunctionCallingModel })
      : new OpenAI({ model, baseUrl: provider.baseUrl, apiKey: context.apiKey, isFunctionCallingModel })
  return withRetry(llm, {
    timeoutMs,
    sleep: context.wait && ((ms) => context.wait!(ms)),
    onRetry: ({ error, delayMs }) =>
      context.onRetry(
        `${(error as Error).message.replace(/\.$/, '')}; trying again in ${Math.ceil(delayMs / 1000)} s.`,
      ),
  })
}

/** Returns the model of a command, which reports its retries. */
export function modelOf(model: ModelOptions, { env, cwd, stderr }: Terminal): Promise<LLM> {
  return chooseModel(model, {
    apiKey: env['OPENAI_API_KEY'],
    folder: cwd,
    onRetry: (message) => stderr.write(`ask: ${withoutControls(message)}\n`),
  })
}

/** A provider of the AI SDK. */
interface Provider {
  languageModel(id: string): AiSdkLanguageModel
}

/** The folder of a package, and whether the model calls tools natively. */
interface AiSdkPackageOptions {
  folder: string
  isFunctionCallingModel: boolean
}

/** Returns a model of a provider's package. @throws {ProgramError} when it is not installed, or is not a provider. */
async function aiSdkModel(name: string, model: string, { folder, ...options }: AiSdkPackageOptions): Promise<LLM> {
  const file = fileOf(name, folder)
  if (file === null)
    throw new ProgramError(
      ExitCode.usage,
      `--model: the package ${name} is not installed in ${folder}: npm install ${name}`,
    )
  const exports = Object.values((await import(pathToFileURL(file).href)) as Record<string, unknown>)
  const provider = exports.find(isProvider)
  if (!provider)
    throw new ProgramError(
      ExitCode.usage,
      `--model: ${name} exports no provider of the AI SDK, which has languageModel().`,
    )
  return new AiSdkLLM({ model: provider.languageModel(model), ...options })
}

function isProvider(value: unknown): value is Provider {
  return typeof (value as Partial<Provider> | null)?.languageModel === 'function'
}

/** Returns the entry file of a package; null if it is not installed. */
function fileOf(name: string, folder: string): string | null {
  const base = join(folder, 'package.json')
  try {
    return createRequire(base).resolve(name)
  } catch {
    // A package for `import` only.
  }
  try {
    const manifest = findPackageJSON(name, pathToFileURL(base))
    if (manifest === undefined) return null
    const { exports, main } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports?: unknown; main?: string }
    const entry = entryOf(exports) ?? main
    return entry === undefined ? null : join(dirname(manifest), entry)
  } catch {
    return null
  }
}

function entryOf(exports: unknown): string | undefined {
  if (typeof exports === 'string' || exports === undefined || exports === null) return exports ?? undefined
  const map = exports as Record<string, unknown>
  return entryOf(map['.'] ?? map['import'] ?? map['default'])
}
