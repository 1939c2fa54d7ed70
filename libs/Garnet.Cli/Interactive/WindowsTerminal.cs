// A terminal on the console of Windows. One thread.
using System.Text;
using Garnet.Cli.Output;

namespace Garnet.Cli.Interactive;

/// <summary>Reads keys as Windows names them. What is written is obeyed while there is a <see cref="WindowsScreen"/>.</summary>
/// <param name="console">The console.</param>
/// <param name="output">Standard output.</param>
/// <param name="variables">Gives an environment variable, or null.</param>
internal sealed class WindowsTerminal(IWindowsConsole console, IOutput output, Func<string, string?> variables) : ITerminal
{
    private const int DefaultColumns = 80;
    private const int PollMs = 50;

    /// <inheritdoc/>
    public int Columns => console.Columns is > 0 and var columns ? columns : DefaultColumns;

    /// <inheritdoc/>
    public bool HasColors { get; } = string.IsNullOrEmpty(variables("NO_COLOR"));

    /// <inheritdoc/>
    public void EnterRawMode()
    {
        console.TakesControlCAsKey = true;
        if (console.OutputMode is { } mode)
            console.SetOutputMode(mode | IWindowsConsole.WrapsLate);
    }

    /// <inheritdoc/>
    public void LeaveRawMode()
    {
        if (console.OutputMode is { } mode)
            console.SetOutputMode(mode & ~IWindowsConsole.WrapsLate);
        console.TakesControlCAsKey = false;
    }

    /// <inheritdoc/>
    public KeyPress ReadKey()
    {
        ConsoleKeyInfo key = console.ReadKey();
        bool isAlt = key.Modifiers.HasFlag(ConsoleModifiers.Alt);
        bool isControl = key.Modifiers.HasFlag(ConsoleModifiers.Control);
        if (Named(key, isWord: isAlt || isControl) is var named and not EditKey.None)
            return new KeyPress(named);
        if (key.KeyChar == '\0')
            return new KeyPress(EditKey.None);
        // A terminal sends Alt and a letter as Escape and the letter. Both together are AltGr, which makes letters.
        if (isAlt && !isControl)
            return Decoded('\u001b', key.KeyChar);
        return key.KeyChar < ' ' ? Decoded(key.KeyChar) : new KeyPress(EditKey.Text, WithLowSurrogate(key.KeyChar));
    }

    /// <inheritdoc/>
    public bool WaitForKey(CancellationToken cancellationToken)
    {
        while (!cancellationToken.IsCancellationRequested)
        {
            if (console.HasKey)
                return true;
            Thread.Sleep(PollMs);
        }

        return false;
    }

    /// <inheritdoc/>
    public void Write(string text) => output.Write(Encoding.UTF8.GetBytes(text));

    /// <summary>There is no stopping of processes here.</summary>
    public void Suspend() { }

    private static EditKey Named(ConsoleKeyInfo key, bool isWord) =>
        key.Key switch
        {
            ConsoleKey.Enter => EditKey.Enter,
            ConsoleKey.Tab => key.Modifiers.HasFlag(ConsoleModifiers.Shift) ? EditKey.BackTab : EditKey.Tab,
            ConsoleKey.Backspace => isWord ? EditKey.DeleteWordLeft : EditKey.Backspace,
            ConsoleKey.Delete => isWord ? EditKey.DeleteWordRight : EditKey.Delete,
            ConsoleKey.LeftArrow => isWord ? EditKey.WordLeft : EditKey.Left,
            ConsoleKey.RightArrow => isWord ? EditKey.WordRight : EditKey.Right,
            ConsoleKey.UpArrow => EditKey.Up,
            ConsoleKey.DownArrow => EditKey.Down,
            ConsoleKey.Home => EditKey.Home,
            ConsoleKey.End => EditKey.End,
            ConsoleKey.Escape => EditKey.Cancel,
            _ => EditKey.None,
        };

    // As the bytes that a terminal would send.
    private static KeyPress Decoded(params char[] sent)
    {
        int next = 0;
        return new KeyDecoder(_ => next < sent.Length ? sent[next++] : -1).Read();
    }

    // Characters beyond the first 65,536 come as two keys.
    private string WithLowSurrogate(char value) => char.IsHighSurrogate(value) ? $"{value}{console.ReadKey().KeyChar}" : value.ToString();
}
