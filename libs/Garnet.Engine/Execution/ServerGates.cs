// The gates of a server. Made once; thread-safe.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>All of them, and those that others have to do with.</summary>
internal sealed class ServerGates
{
    /// <summary>
    /// Gates whose question is about the command, the client or the origin alone are always raised: they concern few commands, or few
    /// origins ask them.
    /// </summary>
    public const GateMask AlwaysRaised =
        GateMask.ScriptCallable
        | GateMask.Protected
        | GateMask.NoMulti
        | GateMask.ModuleCallable
        | GateMask.EffectsOnly
        | GateMask.ScriptWrites
        | GateMask.SharedBlock;

    /// <summary>The gates of a server.</summary>
    /// <param name="all">In the order of their bits.</param>
    public ServerGates(IReadOnlyList<Gate> all)
    {
        All = all;
        Size = all.OfType<SizeGate>().Single();
        ColdValues = all.OfType<ColdValueGate>().Single();
    }

    /// <summary>In the order in which they are asked.</summary>
    public IReadOnlyList<Gate> All { get; }

    /// <summary>The limits on the size of requests.</summary>
    public SizeGate Size { get; }

    /// <summary>The gate that loads values.</summary>
    public ColdValueGate ColdValues { get; }
}
