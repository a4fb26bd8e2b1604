/**
 * @module
 * Creates the model: one of a server, one of the AI SDK, or the stand-in.
 */
import { type LLM, withRetry } from '@x/core-model'
import { OpenAI, OpenAIEmbedding } from '@x/openai'
import { StandInModel } from '../stand-in/stand-in-model.ts'
import { aiSdkModel } from './ai-sdk-package.ts'
import type { ModelOptions } from './model-options.ts'

/** A model, and its name for the report. */
export interface ChosenModel {
  llm: LLM
  name: string
  isStandIn: boolean
}

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

/** Returns a model. @throws {ProgramError} for a package that is not installed. */
export async function chooseModel(options: ModelOptions | null, context: ModelContext): Promise<ChosenModel> {
  if (options === null) {
    const llm = new StandInModel()
    return { llm, name: llm.metadata.modelName, isStandIn: true }
  }
  const { provider, model, timeoutMs, textTools } = options
  const isFunctionCallingModel = !textTools
  const llm =
    provider.kind === 'ai-sdk'
      ? await aiSdkModel(provider.package, model, { folder: context.folder, isFunctionCallingModel })
      : new OpenAI({ model, baseUrl: provider.baseUrl, apiKey: context.apiKey, isFunctionCallingModel })
  const repeated = withRetry(llm, {
    timeoutMs,
    sleep: context.wait && ((ms) => context.wait!(ms)),
    onRetry: ({ error, delayMs }) =>
      context.onRetry(
        `${(error as Error).message.replace(/\.$/, '')}; trying again in ${Math.ceil(delayMs / 1000)} s.`,
      ),
  })
  return { llm: repeated, name: model, isStandIn: false }
}

/** Returns an embedding model of a server. */
export function embeddingModel({ provider, model }: ModelOptions, apiKey: string | undefined): OpenAIEmbedding {
  const { baseUrl } = provider as { baseUrl: string }
  return new OpenAIEmbedding({ modelName: model, baseUrl, apiKey, embedBatchSize: 100 })
}
