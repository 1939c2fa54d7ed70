// One argument of a template. Immutable.
using System.Text;

namespace Garnet.Bench.Workloads;

/// <summary>Pieces in their order.</summary>
internal sealed class TemplateArgument
{
    private static readonly string[] Shared =
    [
        "__rand_1st__",
        "__rand_2nd__",
        "__rand_3rd__",
        "__rand_4th__",
        "__rand_5th__",
        "__rand_6th__",
        "__rand_7th__",
        "__rand_8th__",
        "__rand_9th__",
    ];

    private TemplateArgument(IReadOnlyList<TemplatePiece> pieces) => Pieces = pieces;

    /// <summary>How many shared numbers there are.</summary>
    public static int SharedCount => Shared.Length;

    /// <summary>The pieces.</summary>
    public IReadOnlyList<TemplatePiece> Pieces { get; }

    /// <summary>Its length in bytes if that is always the same, else null.</summary>
    public int? FixedLength
    {
        get
        {
            int sum = 0;
            foreach (TemplatePiece piece in Pieces)
            {
                if (piece.FixedLength is not { } length)
                    return null;
                sum += length;
            }

            return sum;
        }
    }

    /// <summary>Finds the placeholders in a word.</summary>
    /// <param name="word">The argument as given.</param>
    /// <param name="keyPrefix">What precedes the number of a key.</param>
    public static TemplateArgument Parse(string word, string keyPrefix)
    {
        var pieces = new List<TemplatePiece>();
        int literal = 0;
        int at = word.IndexOf("__", StringComparison.Ordinal);
        while (at >= 0)
        {
            if (TryRead(word.AsSpan(at), keyPrefix) is not { } found)
            {
                at = word.IndexOf("__", at + 1, StringComparison.Ordinal);
                continue;
            }

            AddLiteral(pieces, word[literal..at]);
            pieces.Add(found.Piece);
            literal = at + found.Length;
            at = word.IndexOf("__", literal, StringComparison.Ordinal);
        }

        AddLiteral(pieces, word[literal..]);
        return new TemplateArgument(pieces);
    }

    private static (TemplatePiece Piece, int Length)? TryRead(ReadOnlySpan<char> text, string keyPrefix)
    {
        const string Key = "__key__",
            Data = "__data__",
            Number = "__rand_int__";
        if (text.StartsWith(Key))
            return (new TemplatePiece(PieceKind.Key, Encoding.UTF8.GetBytes(keyPrefix)), Key.Length);
        if (text.StartsWith(Data))
            return (new TemplatePiece(PieceKind.Data, []), Data.Length);
        if (text.StartsWith(Number))
            return (new TemplatePiece(PieceKind.Number, []), Number.Length);
        for (int slot = 0; slot < Shared.Length; slot++)
        {
            if (text.StartsWith(Shared[slot]))
                return (new TemplatePiece(PieceKind.SharedNumber, [], slot), Shared[slot].Length);
        }

        return null;
    }

    private static void AddLiteral(List<TemplatePiece> pieces, string text)
    {
        if (text.Length > 0)
            pieces.Add(new TemplatePiece(PieceKind.Literal, Encoding.UTF8.GetBytes(text)));
    }
}
