/**
 * @module
 * The platform's segmenter of texts, for languages given by their tag.
 */
import { ModelValidationError, type ValidationIssue } from '@x/core-model'
import { MissingDependencyError } from './errors.ts'

/**
 * An `Intl.Segmenter`; some runtimes have none.
 * @throws {ModelValidationError} when `lang` is no language tag.
 * @throws {MissingDependencyError} when the runtime has none.
 */
export function newSegmenter(lang: string, granularity: 'word' | 'sentence', className: string): Intl.Segmenter {
  const faults = languageFaults(lang)
  if (faults.length > 0) throw new ModelValidationError(className, faults)
  if (typeof Intl.Segmenter !== 'function')
    throw new MissingDependencyError(
      className,
      'this runtime has no Intl.Segmenter; install a polyfill such as @formatjs/intl-segmenter.',
    )
  return new Intl.Segmenter(lang, { granularity })
}

/** What is wrong with a language tag. */
export function languageFaults(lang: string): ValidationIssue[] {
  try {
    Intl.getCanonicalLocales(lang)
    return []
  } catch {
    return [{ path: 'lang', message: 'expected a language tag such as "en"', code: 'language_tag' }]
  }
}
