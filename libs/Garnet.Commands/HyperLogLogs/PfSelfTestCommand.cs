// PFSELFTEST
using System.Buffers.Binary;
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;

namespace Garnet.Commands.HyperLogLogs;

/// <summary>Tests registers and estimates. Takes seconds, during which its connection's thread serves no other client.</summary>
internal static class PfSelfTestCommand
{
    public static readonly CommandDescriptor Descriptor = new()
    {
        Name = "PFSELFTEST",
        Arity = 1,
        Flags = CommandFlags.Admin,
        Group = CommandGroup.HyperLogLog,
        Since = "2.8.9",
        Handler = Execute,
    };

    private const int RegisterRounds = 1000;
    private const int Elements = 10_000_000;

    // The standard error of an estimate with 16384 registers.
    private const double StandardError = 1.04 / 128;

    private static void Execute(ref CommandContext context)
    {
        Random random = new();
        string? failure =
            FindRegisterFailure(random) ?? FindEstimateFailure(unchecked((ulong)random.NextInt64()), context.Settings.MaxSparseBytes);
        if (failure is null)
            context.Reply.WriteOk();
        else
            context.Reply.WriteError("ERR TESTFAILED " + failure);
    }

    // Every register keeps its value and does not affect its neighbours.
    private static string? FindRegisterFailure(Random random)
    {
        byte[] packed = new byte[SketchFormat.DenseBytes - SketchFormat.HeaderBytes];
        byte[] plain = new byte[SketchFormat.Registers];
        for (int round = 0; round < RegisterRounds; round++)
        {
            random.NextBytes(plain);
            for (int i = 0; i < plain.Length; i++)
            {
                plain[i] &= 63;
                DenseRegisters.Set(packed, i, plain[i]);
            }

            for (int i = 0; i < plain.Length; i++)
            {
                if (DenseRegisters.Get(packed, i) != plain[i])
                    return $"Register {i} should be {plain[i]} but is {DenseRegisters.Get(packed, i)}";
            }
        }

        return null;
    }

    // A dense and a sparse sketch of the same distinct elements give equal estimates, close to the true number.
    private static string? FindEstimateFailure(ulong seed, long sparseLimit)
    {
        using SketchDraft dense = new(SketchFormat.Empty, 0, sparseLimit);
        dense.TryMakeDense();
        using SketchDraft sparse = new(SketchFormat.Empty, SketchFormat.Registers, sparseLimit);
        Span<byte> element = stackalloc byte[sizeof(ulong)];
        int checkpoint = 1;
        for (int i = 1; i <= Elements; i++)
        {
            BinaryPrimitives.WriteUInt64LittleEndian(element, (ulong)i ^ seed);
            (int register, int value) = SketchFormat.Locate(element);
            dense.Raise(register, value);
            sparse.Raise(register, value);
            if (i != checkpoint)
                continue;
            if (i < sparseLimit / 2 && sparse.IsDense)
                return "sparse encoding not used";
            if (
                !CardinalityEstimate.TryCount(dense.Bytes, out long count)
                || !CardinalityEstimate.TryCount(sparse.Bytes, out long other)
                || count != other
            )
            {
                return "dense/sparse disagree";
            }

            long error = Math.Abs(i - count);
            long allowed = i == 10 ? 1 : (long)Math.Ceiling(StandardError * 6 * i);
            if (error > allowed)
                return $"Too big error. card:{i} abserr:{error}";
            checkpoint *= 10;
        }

        return null;
    }
}
