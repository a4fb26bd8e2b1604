/**
 * @module
 * Creates `Intl.Segmenter` objects and validates language tags.
 */
import { ModelValidationError, type ValidationIssue } from '@x/core-model'
import { MissingDependencyError } from './errors.ts'

/**
 * Returns an `Intl.Segmenter`.
 * @throws {ModelValidationError} if `lang` is not a language tag.
 * @throws {MissingDependencyError} if the runtime has no `Intl.Segmenter`.
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

/** Returns an issue if `lang` is not a language tag. */
export function languageFaults(lang: string): ValidationIssue[] {
  try {
    Intl.getCanonicalLocales(lang)
    return []
  } catch {
    return [{ path: 'lang', message: 'expected a language tag such as "en"', code: 'language_tag' }]
  }
}
