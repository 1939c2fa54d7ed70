// The mathematical functions. Stateless; the functions run on the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>math.*, with random numbers that are the same in each state.</summary>
internal static class MathLibrary
{
    private const double RadiansPerDegree = Math.PI / 180;

    public static LuaTable Create()
    {
        LuaTable table = NativeTable.Create(
            ("abs", static call => call.Return(Math.Abs(call.CheckNumber(1)))),
            ("acos", static call => call.Return(Math.Acos(call.CheckNumber(1)))),
            ("asin", static call => call.Return(Math.Asin(call.CheckNumber(1)))),
            ("atan", static call => call.Return(Math.Atan(call.CheckNumber(1)))),
            ("atan2", static call => OfTwo(call, Math.Atan2)),
            ("ceil", static call => call.Return(Math.Ceiling(call.CheckNumber(1)))),
            ("cos", static call => call.Return(Math.Cos(call.CheckNumber(1)))),
            ("cosh", static call => call.Return(Math.Cosh(call.CheckNumber(1)))),
            ("deg", static call => call.Return(call.CheckNumber(1) / RadiansPerDegree)),
            ("exp", static call => call.Return(Math.Exp(call.CheckNumber(1)))),
            ("floor", static call => call.Return(Math.Floor(call.CheckNumber(1)))),
            ("fmod", static call => OfTwo(call, static (x, y) => x % y)),
            ("frexp", Frexp),
            ("ldexp", Ldexp),
            ("log", static call => call.Return(Math.Log(call.CheckNumber(1)))),
            ("log10", static call => call.Return(Math.Log10(call.CheckNumber(1)))),
            ("max", static call => Extreme(call, static (value, best) => value > best)),
            ("min", static call => Extreme(call, static (value, best) => value < best)),
            ("modf", Modf),
            ("pow", static call => OfTwo(call, Math.Pow)),
            ("rad", static call => call.Return(call.CheckNumber(1) * RadiansPerDegree)),
            ("random", Random),
            ("randomseed", RandomSeed),
            ("sin", static call => call.Return(Math.Sin(call.CheckNumber(1)))),
            ("sinh", static call => call.Return(Math.Sinh(call.CheckNumber(1)))),
            ("sqrt", static call => call.Return(Math.Sqrt(call.CheckNumber(1)))),
            ("tan", static call => call.Return(Math.Tan(call.CheckNumber(1)))),
            ("tanh", static call => call.Return(Math.Tanh(call.CheckNumber(1))))
        );
        table.Set("pi", new LuaValue(Math.PI));
        table.Set("huge", new LuaValue(double.PositiveInfinity));
        table.Set("mod", table.Get(LibraryNames.Get("fmod")));
        return table;
    }

    // Lua's own binaries check the second argument first.
    private static int OfTwo(NativeCall call, Func<double, double, double> function)
    {
        double second = call.CheckNumber(2);
        return call.Return(function(call.CheckNumber(1), second));
    }

    private static int Ldexp(NativeCall call)
    {
        int exponent = call.CheckInteger(2);
        return call.Return(Math.ScaleB(call.CheckNumber(1), exponent));
    }

    private static int Extreme(NativeCall call, Func<double, double, bool> isBetter)
    {
        double best = call.CheckNumber(1);
        for (int i = 2; i <= call.Count; i++)
        {
            double value = call.CheckNumber(i);
            if (isBetter(value, best))
                best = value;
        }

        return call.Return(best);
    }

    private static int Frexp(NativeCall call)
    {
        double number = call.CheckNumber(1);
        int exponent = 0;
        if (number != 0 && double.IsFinite(number))
        {
            exponent = Math.ILogB(number) + 1;
            number = Math.ScaleB(Math.ScaleB(number, -exponent / 2), -exponent - (-exponent / 2));
        }

        call.Return(number);
        call.Return((double)exponent);
        return 2;
    }

    private static int Modf(NativeCall call)
    {
        double number = call.CheckNumber(1);
        double integer = Math.Truncate(number);
        call.Return(integer);
        call.Return(double.IsInfinity(number) ? Math.CopySign(0, number) : Math.CopySign(number - integer, number));
        return 2;
    }

    private static int Random(NativeCall call)
    {
        double random = call.State.Random.Next() % RandomSequence.Max / (double)RandomSequence.Max;
        switch (call.Count)
        {
            case 0:
                return call.Return(random);
            case 1:
            {
                int high = call.CheckInteger(1);
                if (high < 1)
                    throw call.ArgumentError(1, "interval is empty");
                return call.Return(Math.Floor(random * high) + 1);
            }

            case 2:
            {
                int low = call.CheckInteger(1);
                int high = call.CheckInteger(2);
                if (low > high)
                    throw call.ArgumentError(2, "interval is empty");
                // The difference wraps around as C's does.
                return call.Return(Math.Floor(random * unchecked(high - low + 1)) + low);
            }

            default:
                throw call.Error("wrong number of arguments");
        }
    }

    private static int RandomSeed(NativeCall call)
    {
        call.State.Random.Seed(call.CheckInteger(1));
        return 0;
    }
}
