// A command with placeholders, prepared so that a request costs little more than copying its bytes. Immutable; any thread.
using System.Buffers.Text;
using System.Globalization;
using System.Text;
using Garnet.Bench.Options;

namespace Garnet.Bench.Workloads;

/// <summary>Writes requests: <c>*count</c>, then each argument as <c>$length</c> and its bytes.</summary>
internal sealed class CommandTemplate
{
    private const int MaxHeaderBytes = 16; // $, ten digits of a length, two line ends
    private const int MaxPieces = 64;
    private const long MaxRequestBytes = 1024 * 1024 * 1024; // what servers take at most

    private readonly TemplateStep[] _steps;

    private CommandTemplate(string name, TemplateStep[] steps, int maxBytes)
    {
        Name = name;
        _steps = steps;
        MaxBytes = maxBytes;
    }

    /// <summary>What results call the command.</summary>
    public string Name { get; }

    /// <summary>The most bytes that a request may have.</summary>
    public int MaxBytes { get; }

    /// <summary>Prepares a request that is always the same, in any form.</summary>
    public static CommandTemplate FromBytes(string name, byte[] request) =>
        new(name, [new TemplateStep(new TemplatePiece(PieceKind.Literal, request), null)], request.Length);

    /// <summary>Prepares a command.</summary>
    /// <param name="words">Name and arguments; at least the name.</param>
    /// <param name="options">The prefix of keys and the sizes of values.</param>
    /// <param name="name">What results call it; null for the command's own name.</param>
    /// <exception cref="BenchException">The command cannot be sent.</exception>
    public static CommandTemplate Compile(IReadOnlyList<string> words, BenchOptions options, string? name = null)
    {
        if (words[0].Length == 0)
            throw new BenchException("a command has an empty name; it begins with one, such as GET __key__");

        var steps = new List<TemplateStep>();
        var literal = new List<byte>();
        long maxBytes = MaxHeaderBytes;
        Append(literal, $"*{words.Count.ToString(CultureInfo.InvariantCulture)}\r\n");
        foreach (string word in words)
        {
            var argument = TemplateArgument.Parse(word, options.Keys.Prefix);
            if (argument.Pieces.Count > MaxPieces)
                throw new BenchException($"an argument of {words[0]} has more than {MaxPieces} placeholders and parts");
            maxBytes += MaxHeaderBytes + argument.Pieces.Sum(piece => MaxLength(piece, options.Values));
            AppendArgument(steps, literal, argument);
        }

        FlushLiteral(steps, literal);
        if (maxBytes > MaxRequestBytes)
            throw new BenchException($"a request of {words[0]} would take {maxBytes} of {MaxRequestBytes} bytes: choose smaller values");
        return new CommandTemplate(name ?? words[0].ToUpperInvariant(), [.. steps], (int)maxBytes);
    }

    /// <summary>Writes a request.</summary>
    /// <param name="destination">Room for at least <see cref="MaxBytes"/>.</param>
    /// <param name="source">Keys, numbers and values.</param>
    /// <returns>The number of bytes written.</returns>
    public int Write(Span<byte> destination, RequestSource source)
    {
        int at = 0;
        foreach (ref readonly TemplateStep step in _steps.AsSpan())
        {
            at += step.Piece is { } piece
                ? WritePiece(destination[at..], piece, ChooseFixed(piece, source))
                : WriteArgument(destination[at..], step.Argument!, source);
        }

        return at;
    }

    private static long MaxLength(TemplatePiece piece, ValueOptions values) =>
        piece.FixedLength ?? (piece.Kind == PieceKind.Key ? piece.Bytes.Length + TemplatePiece.MaxKeyDigits : values.Largest);

    private static void AppendArgument(List<TemplateStep> steps, List<byte> literal, TemplateArgument argument)
    {
        if (argument.FixedLength is not { } length)
        {
            FlushLiteral(steps, literal);
            steps.Add(new TemplateStep(null, argument));
            return;
        }

        Append(literal, $"${length.ToString(CultureInfo.InvariantCulture)}\r\n");
        foreach (TemplatePiece piece in argument.Pieces)
        {
            if (piece.Kind == PieceKind.Literal)
            {
                literal.AddRange(piece.Bytes);
                continue;
            }

            FlushLiteral(steps, literal);
            steps.Add(new TemplateStep(piece, null));
        }

        Append(literal, "\r\n");
    }

    private static void Append(List<byte> literal, string text) => literal.AddRange(Encoding.ASCII.GetBytes(text));

    private static void FlushLiteral(List<TemplateStep> steps, List<byte> literal)
    {
        if (literal.Count == 0)
            return;
        steps.Add(new TemplateStep(new TemplatePiece(PieceKind.Literal, [.. literal]), null));
        literal.Clear();
    }

    private static long ChooseFixed(TemplatePiece piece, RequestSource source) =>
        piece.Kind switch
        {
            PieceKind.Number => source.NextNumber(),
            PieceKind.SharedNumber => source.SharedNumber(piece.Slot),
            _ => 0,
        };

    private static int WritePiece(Span<byte> destination, TemplatePiece piece, long number)
    {
        if (piece.Kind == PieceKind.Literal)
        {
            piece.Bytes.CopyTo(destination);
            return piece.Bytes.Length;
        }

        for (int i = TemplatePiece.NumberDigits - 1; i >= 0; i--)
        {
            (number, long digit) = Math.DivRem(number, 10);
            destination[i] = (byte)('0' + digit);
        }

        return TemplatePiece.NumberDigits;
    }

    // Chooses all that the length depends on, then writes header and pieces.
    private static int WriteArgument(Span<byte> destination, TemplateArgument argument, RequestSource source)
    {
        IReadOnlyList<TemplatePiece> pieces = argument.Pieces;
        Span<long> numbers = stackalloc long[MaxPieces];
        Span<ValueSlice> values = stackalloc ValueSlice[MaxPieces];
        int length = 0;
        for (int i = 0; i < pieces.Count; i++)
            length += Choose(pieces[i], source, ref numbers[i], ref values[i]);
        destination[0] = (byte)'$';
        int at = 1 + WriteNumber(destination[1..], length);
        at += WriteLineEnd(destination[at..]);
        for (int i = 0; i < pieces.Count; i++)
            at += Write(destination[at..], pieces[i], numbers[i], values[i], source.Pool);
        return at + WriteLineEnd(destination[at..]);
    }

    private static int Choose(TemplatePiece piece, RequestSource source, ref long number, ref ValueSlice value)
    {
        switch (piece.Kind)
        {
            case PieceKind.Key:
                number = source.NextKey();
                return piece.Bytes.Length + Digits(number);
            case PieceKind.Data:
                value = source.NextValue();
                return value.Length;
            default:
                number = ChooseFixed(piece, source);
                return piece.FixedLength!.Value;
        }
    }

    private static int Write(Span<byte> destination, TemplatePiece piece, long number, ValueSlice value, ValuePool pool)
    {
        switch (piece.Kind)
        {
            case PieceKind.Key:
                piece.Bytes.CopyTo(destination);
                return piece.Bytes.Length + WriteNumber(destination[piece.Bytes.Length..], number);
            case PieceKind.Data:
                pool.Bytes(value).CopyTo(destination);
                return value.Length;
            default:
                return WritePiece(destination, piece, number);
        }
    }

    private static int WriteLineEnd(Span<byte> destination)
    {
        "\r\n"u8.CopyTo(destination);
        return 2;
    }

    private static int WriteNumber(Span<byte> destination, long number) =>
        Utf8Formatter.TryFormat(number, destination, out int written)
            ? written
            : throw new InvalidOperationException("A request is longer than its template said.");

    private static int Digits(long number)
    {
        int digits = 1;
        for (; number >= 10; number /= 10)
            digits++;
        return digits;
    }
}
