/** The form of the changelogs: what changed for users, then the packages of this repository that are newer, in one line. */
export default {
  /** @param {{ summary: string }} changeset */
  getReleaseLine: async ({ summary }) => {
    const [first, ...rest] = summary.trim().split('\n')
    return `- ${[first, ...rest.map((line) => (line.trim() === '' ? '' : `  ${line}`))].join('\n')}`
  },
  /** @param {unknown[]} _changesets @param {{ name: string, newVersion: string }[]} dependencies */
  getDependencyReleaseLine: async (_changesets, dependencies) =>
    dependencies.length === 0
      ? ''
      : `- Uses ${dependencies.map(({ name, newVersion }) => `${name} ${newVersion}`).join(', ')}.`,
}
