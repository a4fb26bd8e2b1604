/** The relations between nodes; the codes are the keys of `relationships`, also on the wire. */
export const NodeRelationship = { source: '1', previous: '2', next: '3', parent: '4', child: '5' } as const
/** A code of {@link NodeRelationship}. */
export type NodeRelationship = (typeof NodeRelationship)[keyof typeof NodeRelationship]

/** The kind of a node, as stores and relationship records write it. */
export const ObjectType = { text: '1', image: '2', index: '3', document: '4' } as const
/** A code of {@link ObjectType}. */
export type ObjectType = (typeof ObjectType)[keyof typeof ObjectType]

/** The ways to show metadata in a node's content. */
export const metadataModes = ['all', 'embed', 'llm', 'none'] as const
/** Which metadata a node's content shows: all, what embeddings see, what models see, or none. */
export type MetadataMode = (typeof metadataModes)[number]
