// What a script machine can run. Immutable; any thread.
namespace Garnet.Server.Scripting;

/// <summary>A script that a client sent, or a function of a library.</summary>
internal abstract class RunnableScript(ScriptFlags flags)
{
    /// <summary>What it declares about itself.</summary>
    public ScriptFlags Flags => flags;

    /// <summary>How it is called in messages: a script by its hash.</summary>
    public abstract string Name { get; }
}
