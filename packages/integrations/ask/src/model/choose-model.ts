/**
 * @module
 * Creates the model: one of a server, or one of the AI SDK.
 */
import { type LLM, withRetry } from '@x/llm'
import { OpenAI } from '@x/openai'
import type { Terminal } from '../ask.ts'
import { ExitCode, ProgramError } from '../program-error.ts'
import { withoutControls } from '../terminal/text-width.ts'
import { aiSdkModel } from './ai-sdk-package.ts'
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
