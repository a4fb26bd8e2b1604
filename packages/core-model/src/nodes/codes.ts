/** The relations between nodes; the codes are the keys of `relationships`, also on the wire. */
export const NodeRelationship = { source: '1', previous: '2', next: '3', parent: '4', child: '5' } as const
/** A code of {@link NodeRelationship}. */
export type NodeRelationship = (typeof NodeRelationship)[keyof typeof NodeRelationship]

/**
 * The kinds of nodes; the codes are used in store records and relationships. Newer versions of LlamaIndex for Python write `multimodal`:
 * such nodes are read as image nodes or text nodes.
 */
export const ObjectType = { text: '1', image: '2', index: '3', document: '4', multimodal: '5' } as const
/** A code of {@link ObjectType}. */
export type ObjectType = (typeof ObjectType)[keyof typeof ObjectType]

/** The ways to show metadata in a node's content. */
export const metadataModes = ['all', 'embed', 'llm', 'none'] as const
/** The metadata in a node's content: all, without the keys excluded for embeddings, without those excluded for models, or none. */
export type MetadataMode = (typeof metadataModes)[number]
