// What a script machine can run. Immutable but for the figures of its use; any thread.
namespace Garnet.Server.Scripting;

/// <summary>A script that a client sent, or a function of a library.</summary>
internal abstract class RunnableScript(ScriptFlags flags)
{
    /// <summary>What it declares about itself.</summary>
    public ScriptFlags Flags => flags;

    /// <summary>What its calls cost.</summary>
    public ScriptUsage Usage { get; } = new();

    /// <summary>How it is called in messages: a script by its hash.</summary>
    public abstract string Name { get; }
}
