// Compiles source code. Stateless; any thread.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>Source to immutable code that any state can run.</summary>
internal static class LuaCompiler
{
    /// <param name="source">The source, which is copied.</param>
    /// <param name="name">The name of the chunk, as in <c>@user_script</c>.</param>
    /// <param name="calls">Receives all calls of functions in the source, if they are of interest.</param>
    /// <exception cref="LuaSyntaxException">The source is wrong.</exception>
    public static Prototype Compile(ReadOnlySpan<byte> source, string name, List<Expression.Call>? calls = null) =>
        Compile(new Lexer(source, ChunkName.DisplayInSyntaxErrors(name)), name, calls);

    /// <summary>Compiles source that the host keeps, so that strings of the code need no memory of their own.</summary>
    /// <param name="source">The source, which nobody changes any more.</param>
    /// <param name="start">Where the code begins.</param>
    /// <param name="name">The name of the chunk.</param>
    /// <exception cref="LuaSyntaxException">The source is wrong.</exception>
    public static Prototype CompileKept(byte[] source, int start, string name) =>
        Compile(new Lexer(source, start, ChunkName.DisplayInSyntaxErrors(name)), name, calls: null);

    private static Prototype Compile(Lexer lexer, string name, List<Expression.Call>? calls) =>
        new CodeGenerator(ChunkName.Display(name)).Generate(new Parser(lexer, calls).ParseChunk());
}
