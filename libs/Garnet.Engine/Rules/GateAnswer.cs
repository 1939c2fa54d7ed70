// The answer of a gate. Immutable.
namespace Garnet.Engine.Rules;

/// <summary>The default value lets the request pass.</summary>
/// <param name="Refusal">Why it may not run; none if it may.</param>
/// <param name="Wait">What it has to wait for before everything is asked again.</param>
internal readonly record struct GateAnswer(Refusal Refusal, Task? Wait = null)
{
    /// <summary>Whether the request passes.</summary>
    public bool IsPass => Wait is null && Refusal.Kind == RefusalKind.None;

    /// <summary>Passes, or waits.</summary>
    public static GateAnswer WaitFor(Task? wait) => new(default, wait);

    /// <summary>Refuses for a reason of the gate's own.</summary>
    /// <param name="error">The error's code and text, without the leading '-' and the line end.</param>
    public static GateAnswer Refuse(byte[] error) => new(new Refusal(RefusalKind.Custom, error));

    /// <summary>Refuses.</summary>
    public static implicit operator GateAnswer(Refusal refusal) => new(refusal);

    /// <summary>Refuses.</summary>
    public static implicit operator GateAnswer(RefusalKind kind) => new(new Refusal(kind));
}
