// What a script machine can run. Immutable but for the figures of its use and what its code shows; any thread.
using Garnet.Engine.Execution;
using Garnet.Lua.Execution;

namespace Garnet.Server.Scripting;

/// <summary>A script that a client sent, or a function of a library.</summary>
internal abstract class RunnableScript(ScriptFlags flags)
{
    /// <summary>What it declares about itself.</summary>
    public ScriptFlags Flags => flags;

    /// <summary>Which keys it touches; read from the code when it is first called.</summary>
    public KeyUse KeyUse { get; private set; }

    /// <summary>Whether it is a function, whose parameters are the keys and the arguments.</summary>
    public virtual bool IsFunction => false;

    /// <summary>What its calls cost.</summary>
    public ScriptUsage Usage { get; } = new();

    /// <summary>How it is called in messages: a script by its hash.</summary>
    public abstract string Name { get; }

    /// <summary>Finds out which keys it touches. Several threads come to the same result.</summary>
    /// <param name="code">Its code; null for a function that is not compiled code.</param>
    /// <param name="commands">The commands that it can call.</param>
    public void ReadKeyUse(Prototype? code, CommandTable commands) =>
        KeyUse = code is null ? KeyUse.Uncertain : KeyUseReader.Read(code, commands, IsFunction);
}
