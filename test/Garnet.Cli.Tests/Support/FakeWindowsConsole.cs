// Windows' console without Windows. One thread.
using Garnet.Cli.Interactive;

namespace Garnet.Cli.Tests.Support;

/// <summary>Keys that were pressed, and what has been done to the console.</summary>
internal sealed class FakeWindowsConsole : IWindowsConsole
{
    private readonly Queue<ConsoleKeyInfo> _keys = new();

    /// <summary>How often it was asked for a key.</summary>
    public int Polls { get; private set; }

    /// <summary>After how many such questions keys can be read.</summary>
    public int QuietPolls { get; init; }

    /// <inheritdoc/>
    public int Columns { get; init; } = 100;

    /// <inheritdoc/>
    public bool HasKey => ++Polls > QuietPolls && _keys.Count > 0;

    /// <inheritdoc/>
    public bool TakesControlCAsKey { get; set; }

    /// <inheritdoc/>
    public uint? OutputMode { get; set; } = 3;

    /// <inheritdoc/>
    public uint OutputPage { get; set; } = 850;

    /// <summary>Presses a key.</summary>
    public void Press(ConsoleKey key, char character = '\0', ConsoleModifiers modifiers = ConsoleModifiers.None) =>
        _keys.Enqueue(
            new ConsoleKeyInfo(
                character,
                key,
                modifiers.HasFlag(ConsoleModifiers.Shift),
                modifiers.HasFlag(ConsoleModifiers.Alt),
                modifiers.HasFlag(ConsoleModifiers.Control)
            )
        );

    /// <summary>Types a text; line ends are Enter.</summary>
    public void Type(string text)
    {
        foreach (char character in text)
            Press(character == '\r' ? ConsoleKey.Enter : ConsoleKey.None, character);
    }

    /// <inheritdoc/>
    public ConsoleKeyInfo ReadKey() => _keys.TryDequeue(out ConsoleKeyInfo key) ? key : throw new EndOfStreamException("No key is left.");

    /// <inheritdoc/>
    public void SetOutputMode(uint mode) => OutputMode = mode;
}
