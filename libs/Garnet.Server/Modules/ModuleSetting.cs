// An option of a module. The value is read by any thread, and set by one at a time.
namespace Garnet.Server.Modules;

/// <summary>A value that CONFIG GET shows and CONFIG SET changes, named after its module.</summary>
internal abstract class ModuleSetting
{
    /// <summary>The name, as in <c>limits.burst</c>.</summary>
    public abstract string Name { get; }

    /// <summary>The value as text.</summary>
    public abstract string Format();

    /// <summary>Whether the value is the one that the module gives it.</summary>
    public abstract bool HasDefault { get; }

    /// <summary>What is wrong with a value; null when it can be set.</summary>
    public abstract string? FindProblem(string value);

    /// <summary>Sets a value that has no problem.</summary>
    public abstract void Set(string value);
}
