// An option of a module with its value. The value is read by any thread, and set by one at a time.
using Garnet.Server.Modules;

namespace Garnet.Modules.Running;

/// <summary>Parses and formats values of one type.</summary>
/// <param name="name">The name.</param>
/// <param name="value">The first value.</param>
/// <param name="parse">Returns the value of a text, or what is wrong with it.</param>
/// <param name="format">Returns the text of a value.</param>
internal sealed class SettingOf<T>(string name, T value, Func<string, (T Value, string? Problem)> parse, Func<T, string> format)
    : ModuleSetting
{
    private readonly T _default = value;

    // In an object, so that a value of any size is published at once.
    private volatile Box _current = new(value);

    /// <inheritdoc/>
    public override string Name { get; } = name;

    /// <summary>The present value.</summary>
    public T Value => _current.Value;

    /// <inheritdoc/>
    public override bool HasDefault => EqualityComparer<T>.Default.Equals(Value, _default);

    /// <inheritdoc/>
    public override string Format() => format(Value);

    /// <inheritdoc/>
    public override string? FindProblem(string value) => parse(value).Problem;

    /// <inheritdoc/>
    public override void Set(string value) => _current = new Box(parse(value).Value);

    private sealed record Box(T Value);
}
