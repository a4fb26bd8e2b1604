// The public types of @x/codegen, written by `npm run api`.

// ======== @x/codegen

declare class CodegenError extends Error {
    readonly name = "CodegenError";
    readonly code = "codegen";
}

declare function generateModels(folder: string): Promise<Map<string, string>>;
