// The bytes of a terminal as keys. One thread.
using System.Text;

namespace Garnet.Cli.Interactive;

/// <summary>Knows the sequences of common terminals, and bracketed paste.</summary>
/// <param name="next">
/// Gives the next byte, or -1 at the end of the input; with true, -1 also where no byte follows at once.
/// </param>
internal sealed class KeyDecoder(Func<bool, int> next)
{
    private const int Escape = 0x1B;
    private const int MaxSequence = 32;
    private const string EndOfPaste = "\u001b[201~";

    /// <summary>Waits for a key.</summary>
    public KeyPress Read()
    {
        int first = next(false);
        return first switch
        {
            < 0 => new KeyPress(EditKey.EndOfInput),
            Escape => ReadEscape(),
            < 0x20 or 0x7F => new KeyPress(Control(first)),
            < 0x80 => new KeyPress(EditKey.Text, ((char)first).ToString()),
            _ => ReadUtf8(first),
        };
    }

    private static EditKey Control(int value) =>
        value switch
        {
            '\r' or '\n' => EditKey.Enter,
            '\t' => EditKey.Tab,
            0x7F or 0x08 => EditKey.Backspace,
            _ => (char)(value + '@') switch
            {
                'A' => EditKey.Home,
                'B' => EditKey.Left,
                'C' => EditKey.Interrupt,
                'D' => EditKey.EndOrDelete,
                'E' => EditKey.End,
                'F' => EditKey.Right,
                'G' => EditKey.Cancel,
                'K' => EditKey.DeleteToEnd,
                'L' => EditKey.ClearScreen,
                'N' => EditKey.Down,
                'P' => EditKey.Up,
                'R' => EditKey.Search,
                'T' => EditKey.Transpose,
                'U' => EditKey.DeleteToStart,
                'W' => EditKey.DeleteWordLeft,
                'Y' => EditKey.Yank,
                'Z' => EditKey.Suspend,
                _ => EditKey.None,
            },
        };

    private KeyPress ReadEscape()
    {
        int second = next(true);
        return second switch
        {
            < 0 or Escape => new KeyPress(EditKey.Cancel),
            '[' => ReadSequence(),
            'O' => new KeyPress(Final(next(true), "")),
            'b' or 'B' => new KeyPress(EditKey.WordLeft),
            'f' or 'F' => new KeyPress(EditKey.WordRight),
            'd' or 'D' => new KeyPress(EditKey.DeleteWordRight),
            0x7F or 0x08 => new KeyPress(EditKey.DeleteWordLeft),
            _ => new KeyPress(EditKey.None),
        };
    }

    // ESC [ parameters final.
    private KeyPress ReadSequence()
    {
        var parameters = new StringBuilder();
        int last = next(true);
        while (last is >= 0x20 and < 0x40 && parameters.Length < MaxSequence)
        {
            parameters.Append((char)last);
            last = next(true);
        }

        string text = parameters.ToString();
        return last == '~' && text == "200" ? ReadPaste() : new KeyPress(Final(last, text));
    }

    private static EditKey Final(int last, string parameters)
    {
        // 5 is Ctrl, 3 is Alt.
        bool isWord = parameters.EndsWith(";5", StringComparison.Ordinal) || parameters.EndsWith(";3", StringComparison.Ordinal);
        return last switch
        {
            'A' => EditKey.Up,
            'B' => EditKey.Down,
            'C' => isWord ? EditKey.WordRight : EditKey.Right,
            'D' => isWord ? EditKey.WordLeft : EditKey.Left,
            'H' => EditKey.Home,
            'F' => EditKey.End,
            'Z' => EditKey.BackTab,
            '~' => parameters.Split(';')[0] switch
            {
                "1" or "7" => EditKey.Home,
                "3" => isWord ? EditKey.DeleteWordRight : EditKey.Delete,
                "4" or "8" => EditKey.End,
                _ => EditKey.None,
            },
            _ => EditKey.None,
        };
    }

    private KeyPress ReadPaste()
    {
        var bytes = new List<byte>();
        ReadOnlySpan<char> end = EndOfPaste;
        while (!EndsWith(bytes, end))
        {
            int value = next(false);
            if (value < 0)
                return new KeyPress(EditKey.EndOfInput);
            bytes.Add((byte)value);
        }

        string text = Encoding.UTF8.GetString([.. bytes[..^end.Length]]);
        // Not ReplaceLineEndings, which takes characters of values, such as U+2028, for ends of lines.
        return new KeyPress(EditKey.Paste, text.Replace("\r\n", "\n", StringComparison.Ordinal).Replace('\r', '\n'));
    }

    private static bool EndsWith(List<byte> bytes, ReadOnlySpan<char> end)
    {
        if (bytes.Count < end.Length)
            return false;
        for (int i = 0; i < end.Length; i++)
        {
            if (bytes[bytes.Count - end.Length + i] != end[i])
                return false;
        }

        return true;
    }

    private KeyPress ReadUtf8(int first)
    {
        int length =
            first >= 0xF0 ? 4
            : first >= 0xE0 ? 3
            : 2;
        byte[] bytes = new byte[length];
        bytes[0] = (byte)first;
        for (int i = 1; i < length; i++)
        {
            int value = next(true);
            if (value is < 0x80 or >= 0xC0)
                return new KeyPress(EditKey.None);
            bytes[i] = (byte)value;
        }

        return new KeyPress(EditKey.Text, Encoding.UTF8.GetString(bytes));
    }
}
