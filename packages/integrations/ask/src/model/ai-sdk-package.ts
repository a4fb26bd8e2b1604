/**
 * @module
 * Models of the AI SDK, from a provider's package that the user has installed.
 */
import { readFileSync } from 'node:fs'
import { createRequire, findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type AiSdkLanguageModel, AiSdkLLM } from '@x/ai-sdk'
import type { LLM } from '@x/llm'
import { ExitCode, ProgramError } from '../program-error.ts'

/** A provider of the AI SDK. */
interface Provider {
  languageModel(id: string): AiSdkLanguageModel
}

/** The folder of a package, and whether the model calls tools natively. */
export interface AiSdkPackageOptions {
  folder: string
  isFunctionCallingModel: boolean
}

/** Returns a model of a provider's package. @throws {ProgramError} when it is not installed, or is not a provider. */
export async function aiSdkModel(
  name: string,
  model: string,
  { folder, ...options }: AiSdkPackageOptions,
): Promise<LLM> {
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
