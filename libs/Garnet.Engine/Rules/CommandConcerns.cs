// The gates that have to do with a command, remembered. Set by any thread, always to the same value.
namespace Garnet.Engine.Rules;

/// <summary>Part of a command; all gates until they were asked once.</summary>
internal struct CommandConcerns()
{
    /// <summary>
    /// The gates that may have to do with a call: for EXEC and scripts also those about the state, by what the call brings.
    /// </summary>
    public GateMask OfCall { get; private set; } = GateMask.All;

    /// <summary>The gates that have to do with the command's own flags, when <see cref="IsKnown"/>.</summary>
    public GateMask OfFlags { get; private set; }

    /// <summary>Whether gates were asked.</summary>
    public readonly bool IsKnown => OfFlags != GateMask.None;

    /// <summary>Sets the gates.</summary>
    public void Set(GateMask ofFlags, bool dependsOnCall)
    {
        OfFlags = ofFlags;
        OfCall = dependsOnCall ? ofFlags | GateMask.OfQueue : ofFlags;
    }
}
