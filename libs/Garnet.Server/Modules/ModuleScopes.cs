// The scopes of one thread's commands of modules. Used by that thread.
using Garnet.Engine.Execution;

namespace Garnet.Server.Modules;

/// <summary>One scope for each level of modules that call each other, kept for the next command.</summary>
internal sealed class ModuleScopes
{
    /// <summary>That of a thread.</summary>
    public static readonly ThreadSlot<ModuleScopes> OfThread = new(static _ => new ModuleScopes());

    /// <summary>How many commands of modules may call each other.</summary>
    public const int MaxDepth = 16;

    private readonly ModuleScope?[] _scopes = new ModuleScope?[MaxDepth];

    /// <summary>The scope for a command that a client runs now; null where modules call each other too deeply.</summary>
    public ModuleScope? Next(ClientSession client, ThreadScratch thread)
    {
        int depth = client.Transactions.Module is ModuleScope outer ? outer.Depth + 1 : 0;
        if (depth == MaxDepth)
            return null;
        ModuleScope scope = _scopes[depth] ??= new ModuleScope(depth) { Client = client, Scratch = thread };
        scope.Client = client;
        return scope;
    }
}
