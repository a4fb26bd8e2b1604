/** The classes of postprocessors. */
import type { ModelClass } from '@x/core-model'
import * as postprocessors from '@x/postprocessors'
import { type Reader, string } from '../../reader.ts'

/** A class that can be built and read. */
export type PostprocessorClass = ModelClass<postprocessors.NodePostprocessor>

const exported: Readonly<Record<string, unknown>> = { ...postprocessors }

function isPostprocessorClass(value: unknown): value is PostprocessorClass {
  return typeof value === 'function' && value.prototype instanceof postprocessors.NodePostprocessor
}

export function findClass(name: string): PostprocessorClass | undefined {
  const found = exported[name]
  return isPostprocessorClass(found) ? found : undefined
}

/** Reads the name of a class. */
export const postprocessorClass: Reader<PostprocessorClass> = (value, at) =>
  findClass(string(value, at)) ?? at.fail('the name of a postprocessor', value)
