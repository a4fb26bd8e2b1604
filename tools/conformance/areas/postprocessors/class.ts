/** The classes of postprocessors. */
import type { ModelClass } from '@x/core-model'
import * as postprocessors from '@x/postprocessors'
import { named } from '../../given.ts'

/** A class that can be built and read. */
export type PostprocessorClass = ModelClass<postprocessors.NodePostprocessor>

const isPostprocessorClass = (value: unknown): value is PostprocessorClass =>
  typeof value === 'function' && value.prototype instanceof postprocessors.NodePostprocessor

const classes: Readonly<Record<string, PostprocessorClass>> = Object.fromEntries(
  Object.entries(postprocessors).flatMap(([name, value]) => (isPostprocessorClass(value) ? [[name, value]] : [])),
)

export const findClass = (name: string): PostprocessorClass => named(classes, name)
export const isClass = (name: string): boolean => Object.hasOwn(classes, name)
