import { describe, expect, it } from 'vitest'
import * as core from './index.ts'
import * as testing from './testing.ts'

const errorClasses = Object.entries({ ...core, ...testing }).filter(
  ([, value]) => typeof value === 'function' && value.prototype instanceof core.ToolkitError,
) as [string, new (...args: unknown[]) => core.ToolkitError][]

/** One instance of each class. */
const made = errorClasses.map(([name, errorClass]): [string, core.ToolkitError] => [
  name,
  name === 'ModelValidationError'
    ? new core.ModelValidationError('M', [{ path: 'a', message: 'b', code: 'c' }])
    : name === 'MissingVariableError'
      ? new core.MissingVariableError(['x'])
      : new errorClass('a', 0, 'b', 'c'),
])

describe('errors', () => {
  it('have stable codes', () => {
    expect(Object.fromEntries(made.map(([name, { code }]) => [name, code]))).toMatchInlineSnapshot(`
      {
        "ChatStoreError": "chat_store",
        "ClassNameMismatchError": "class_name_mismatch",
        "ComponentInputError": "component_input",
        "ComponentOutputError": "component_output",
        "ConfigurationError": "configuration",
        "EmbeddingDimensionError": "embedding_dimension",
        "EmbeddingNotSetError": "embedding_not_set",
        "EmptyInputError": "empty_input",
        "ImageNotSetError": "image_not_set",
        "MissingVariableError": "missing_variable",
        "ModelCallError": "model_call",
        "ModelValidationError": "model_validation",
        "NodeNotFoundError": "node_not_found",
        "NotSupportedError": "not_supported",
        "RelationshipShapeError": "relationship_shape",
        "ScoreNotSetError": "score_not_set",
        "SerializationError": "serialization",
        "StreamingParserError": "streaming_parser",
        "TemplateSyntaxError": "template_syntax",
        "UnexpectedCallError": "unexpected_call",
        "UnknownClassNameError": "unknown_class_name",
        "UnknownNodeTypeError": "unknown_node_type",
      }
    `)
  })

  it.each(made)('%s is recognized by its mark and named independently of minification', (name, error) => {
    expect(error).toBeInstanceOf(Error)
    expect([error.name, String(error).startsWith(`${name}: `)]).toEqual([name, true])
    expect(core.isToolkitError(error)).toBe(true)
    expect(core.isToolkitError(error, error.code as keyof core.ToolkitErrors)).toBe(true)
    expect(core.isToolkitError(error, 'other' as keyof core.ToolkitErrors)).toBe(false)
    expect(Object.keys(error)).not.toContain('name')
  })

  it('are not recognized if another library threw them', () => {
    for (const other of [new Error('x'), { code: 'model_validation' }, null, undefined, 'model_validation'])
      expect(core.isToolkitError(other)).toBe(false)
  })

  it('keep their cause', () => {
    const cause = new Error('why')
    expect(new core.SerializationError('a.b', 'no', { cause })).toMatchObject({
      cause,
      field: 'a.b',
      message: 'a.b: no.',
    })
    expect(new core.ConfigurationError('x', { cause }).cause).toBe(cause)
    expect('cause' in new core.EmptyInputError('x')).toBe(false)
  })

  it('list every invalid field on its own line', () => {
    const issue = (path: string) => ({ path, message: 'wrong', code: 'type' })
    expect(new core.ModelValidationError('M', [issue('a.b'), issue('[0].c'), issue('')]).message).toBe(
      'M.a.b: wrong.\nM[0].c: wrong.\nM: wrong.',
    )
  })

  it('about templates name all missing variables', () => {
    expect(new core.MissingVariableError(['a', 'b'])).toMatchObject({
      variables: ['a', 'b'],
      message: 'Template: no value for {a}, {b}.',
    })
  })
})
