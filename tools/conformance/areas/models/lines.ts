/** Models in the forms of the lines of LlamaIndex for Python. The line is a field of the case. */
import { isNode } from '@x/core-model'
import { lineOf, type PythonLine, type PythonLineName, pythonLine } from '@x/core-model/python'
import { type Case, type Operations, operation } from '../../case.ts'
import { anything, CaseError, type Place, shape } from '../../reader.ts'
import { type AnyModelClass, modelClass } from './model-class.ts'

const given = shape({ model: modelClass, data: anything })

/** An operation whose case states a line. */
function inLine(run: (read: { model: AnyModelClass; data?: unknown }, line: PythonLine) => unknown) {
  return (testCase: Case, at: Place) => {
    const read = given(testCase.given, at)
    if (testCase.line === undefined) throw new CaseError('expected a field line beside op')
    const line = pythonLine(testCase.line as PythonLineName)
    return () => run(read, line)
  }
}

export const lines: Operations = {
  'line.write': inLine(({ model, data }, line) => model.fromDict(data).toDict({ line })),

  'line.hash': inLine(({ model, data }, line) => {
    const node = model.fromDict(data)
    if (!isNode(node)) throw new CaseError('given.model: expected a class of nodes')
    return line.hashOf(node)
  }),

  'line.of': operation(shape({ data: anything }), ({ data }) => lineOf(data)),
}
