// Registers that are processed eight at a time are those that are read and written one by one. No state.
using Garnet.Commands.HyperLogLogs;
using Garnet.Testing;
using Xunit;
using Xunit.Abstractions;

namespace Garnet.Server.Tests.Commands.HyperLogLogs;

public sealed class DenseRegistersTests(ITestOutputHelper output)
{
    private const int Rounds = 20;
    private const int MaxRegister = 63;

    [Fact]
    public void Groups_of_registers_equal_single_ones()
    {
        Random random = new(TestSeed.Choose(output, 1));
        for (int round = 0; round < Rounds; round++)
        {
            byte[] plain = Plain(random);
            byte[] packed = new byte[SketchFormat.DenseBytes - SketchFormat.HeaderBytes];
            random.NextBytes(packed);
            byte[] single = [.. packed];
            DenseRegisters.Pack(packed, plain);
            for (int i = 0; i < plain.Length; i++)
                DenseRegisters.Set(single, i, plain[i]);
            Assert.Equal(single, packed);
            Assert.Equal(
                plain.Select(static register => (int)register),
                Enumerable.Range(0, plain.Length).Select(i => DenseRegisters.Get(packed, i))
            );

            int[] histogram = new int[MaxRegister + 1];
            DenseRegisters.AddTo(histogram, packed);
            Assert.Equal(Enumerable.Range(0, MaxRegister + 1).Select(value => plain.Count(register => register == value)), histogram);

            byte[] merged = Plain(random);
            byte[] expected = [.. merged.Zip(plain, Math.Max)];
            DenseRegisters.MergeInto(merged, packed);
            Assert.Equal(expected, merged);
        }
    }

    private static byte[] Plain(Random random)
    {
        byte[] registers = new byte[SketchFormat.Registers];
        for (int i = 0; i < registers.Length; i++)
            registers[i] = (byte)random.Next(MaxRegister + 1);
        return registers;
    }
}
