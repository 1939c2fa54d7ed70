// One rule that a command passes before it runs. Stateless or thread-safe; asked by any thread inside a batch.
using Garnet.Engine.Rules;

namespace Garnet.Engine.Execution;

/// <summary>
/// A gate is asked only while its bit is raised, about commands that it concerns, on behalf of origins that ask it. A bit may be raised
/// without need, never lowered without right: whoever changes a state raises it before, and lowers it after.
/// </summary>
/// <param name="bit">Its bit, which is also its place in the order.</param>
internal abstract class Gate(GateMask bit)
{
    /// <summary>Its bit.</summary>
    public GateMask Bit => bit;

    /// <summary>Whether the gate has to do with a command that has these properties; asked once for each command and remembered.</summary>
    public abstract bool Concerns(in CommandNeeds needs);

    /// <summary>
    /// Lets the request pass, refuses it, or says what it has to wait for. Waits, latches, writes and reserves nothing itself.
    /// </summary>
    public abstract GateAnswer Ask(ref CommandContext request);
}
