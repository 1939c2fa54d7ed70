// A hash that is read without a latch. Lives on the stack of one call.
using Garnet.Engine.Execution;
using Garnet.Modules.Running;
using Garnet.Protocol;
using Garnet.Store;

namespace Garnet.Modules;

/// <summary>
/// A key that holds a hash, to be read without latching it: other clients may change it between two reads. For commands that read one
/// field; a command that reads several which belong together uses <see cref="HashKey"/>.
/// </summary>
public readonly ref struct ReadOnlyHash
{
    private readonly ref byte _context;

    internal ReadOnlyHash(ref byte context, int argument)
    {
        _context = ref context;
        Argument = argument;
    }

    internal int Argument { get; }

    /// <summary>The key's name.</summary>
    public ReadOnlySpan<byte> Name => ContextReference.Of(ref _context)[Argument];

    /// <summary>Copies the value of a field, if the destination is large enough.</summary>
    /// <param name="field">The field.</param>
    /// <param name="destination">Receives the value.</param>
    /// <param name="length">Length of the value in bytes, also when it does not fit.</param>
    public ReadResult TryCopy(scoped ReadOnlySpan<byte> field, scoped Span<byte> destination, out int length)
    {
        ref CommandContext context = ref ContextReference.Of(ref _context);
        FieldCopyReader reader = new(field, context.NowMs, destination);
        ReadOutcome outcome = context.Read(Argument, RecordType.Hash, ref reader);
        length = outcome == ReadOutcome.Found && reader.IsFound ? reader.Length : 0;
        return outcome switch
        {
            ReadOutcome.WrongType => ReadResult.WrongType,
            ReadOutcome.Found when reader.IsFound => reader.Length <= destination.Length ? ReadResult.Found : ReadResult.Unfit,
            _ => ReadResult.Missing,
        };
    }

    /// <summary>Reads the value of a field as an integer.</summary>
    public ReadResult TryGetInteger(scoped ReadOnlySpan<byte> field, out long value)
    {
        Span<byte> digits = stackalloc byte[IntegerText.MaxLength];
        ReadResult result = TryCopy(field, digits, out int length);
        value = 0;
        return result != ReadResult.Found || IntegerText.TryParse(digits[..length], out value) ? result : ReadResult.Unfit;
    }
}
