// Compiles source code. Stateless; any thread.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>Source to immutable code that any state can run.</summary>
internal static class LuaCompiler
{
    /// <param name="source">The source.</param>
    /// <param name="name">The name of the chunk, as in <c>@user_script</c>.</param>
    /// <param name="calls">Receives all calls of functions in the source, if they are of interest.</param>
    /// <exception cref="LuaSyntaxException">The source is wrong.</exception>
    public static Prototype Compile(ReadOnlySpan<byte> source, string name, List<Expression.Call>? calls = null)
    {
        FunctionBody chunk = new Parser(new Lexer(source, ChunkName.DisplayInSyntaxErrors(name)), calls).ParseChunk();
        return new CodeGenerator(ChunkName.Display(name)).Generate(chunk);
    }
}
