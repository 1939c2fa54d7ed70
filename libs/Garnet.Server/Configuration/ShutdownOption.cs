// Keywords for how the server ends. Immutable, any thread.
using System.Runtime.CompilerServices;

namespace Garnet.Server.Configuration;

/// <summary>An option whose value is one or more of the keywords of <see cref="ShutdownModifiers"/>.</summary>
internal sealed class ShutdownOption(
    string name,
    Func<GarnetOptions, ShutdownModifiers> get,
    Action<GarnetOptions, ShutdownModifiers> set,
    [CallerArgumentExpression(nameof(get))] string getter = ""
) : OptionDescriptor(name, getter)
{
    private static readonly ShutdownModifiers[] Words = Enum.GetValues<ShutdownModifiers>();

    /// <inheritdoc/>
    public override bool TakesSeveral => true;

    /// <inheritdoc/>
    public override string Allowed => string.Join('|', Words.Select(Spelling));

    /// <inheritdoc/>
    public override string? TrySet(GarnetOptions options, IReadOnlyList<string> arguments)
    {
        ShutdownModifiers words = ShutdownModifiers.Default;
        foreach (string argument in arguments)
        {
            int index = Array.FindIndex(Words, word => Spelling(word).Equals(argument, StringComparison.OrdinalIgnoreCase));
            if (index < 0)
                return "argument(s) must be one of the following: " + string.Join(", ", Words.Select(Spelling));
            words |= Words[index];
        }

        if (words.HasFlag(ShutdownModifiers.Save | ShutdownModifiers.NoSave))
            return "shutdown options SAVE and NOSAVE can't be used simultaneously";
        set(options, words);
        return null;
    }

    /// <inheritdoc/>
    public override string Format(GarnetOptions options) =>
        get(options) is var words && words == ShutdownModifiers.Default
            ? Spelling(words)
            : string.Join(' ', Words.Where(word => word != ShutdownModifiers.Default && words.HasFlag(word)).Select(Spelling));

    private static string Spelling(ShutdownModifiers word) => word.ToString().ToLowerInvariant();
}
