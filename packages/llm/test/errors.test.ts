import * as core from '@x/core-model'
import { describe, expect, it } from 'vitest'
import * as models from '../src/index.ts'
import * as testing from '../src/testing.ts'

const classes = Object.entries({ ...core, ...models, ...testing }).filter(
  ([, value]) => typeof value === 'function' && value.prototype instanceof core.ToolkitError,
) as [string, new (...args: unknown[]) => core.ToolkitError][]

/** One instance of each class. */
const made = classes.map(([name, errorClass]): [string, core.ToolkitError] => [
  name,
  name === 'ModelValidationError'
    ? new errorClass('M', [{ path: 'a', message: 'b', code: 'c' }])
    : new errorClass(name === 'MissingVariableError' ? ['x'] : 'a', 0, 'b', 'c'),
])

describe('the errors of the core packages', () => {
  it('have stable codes', () => {
    expect(Object.fromEntries(made.map(([name, { code }]) => [name, code]).sort())).toMatchInlineSnapshot(`
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
    expect([error.name, String(error).startsWith(`${name}: `)]).toEqual([name, true])
    expect(core.isToolkitError(error, error.code as keyof core.ToolkitErrors)).toBe(true)
  })
})
