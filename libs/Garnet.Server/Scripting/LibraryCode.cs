// Compiles libraries of functions. Stateless; any thread.
using Garnet.Lua.Compilation;
using Garnet.Lua.Execution;

namespace Garnet.Server.Scripting;

/// <summary>What can be said about a library without running it.</summary>
internal static class LibraryCode
{
    /// <summary>Compiles a library whose first line was read.</summary>
    /// <param name="header">The library.</param>
    /// <param name="meter">Counts what that takes; null if nothing limits it.</param>
    /// <param name="code">Its code.</param>
    /// <returns>The error, or null.</returns>
    public static string? Compile(in LibraryHeader header, CompilationMeter? meter, out Prototype code)
    {
        code = null!;
        try
        {
            code = LuaCompiler.Compile(header.Code.Span, "@user_function", calls: null, meter);
            return null;
        }
        catch (LuaSyntaxException e)
        {
            return "Error compiling function: " + e.Message;
        }
    }

    /// <summary>Whether first line and syntax of a library are right.</summary>
    /// <returns>The error, or null.</returns>
    public static string? Check(byte[] source) =>
        LibraryHeader.Read(source, out LibraryHeader header) ?? Compile(header, meter: null, out _);
}
