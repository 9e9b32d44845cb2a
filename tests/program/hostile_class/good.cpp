// A good agent for Duo-Othello: a legal move by a lot that the board draws, and as soon as its own number of disks is on the
// board it gives up. So nothing that it does depends on the speed of the machine.
#include <cstdio>
#include <cstdlib>

static char board[14][15];

static bool flips(int row, int column, char own, char enemy)
{
    for (int down = -1; down <= 1; down++)
        for (int right = -1; right <= 1; right++) {
            int length = 1;
            while (board[row + length * down][column + length * right] == enemy)
                length++;
            if (length > 1 && board[row + length * down][column + length * right] == own)
                return true;
        }
    return false;
}

int main()
{
    char side = 0;
    std::FILE *input = std::fopen("input.txt", "r");
    if (!input || std::fscanf(input, " %c %*s %*s", &side) != 1)
        return 1;
    int disks = 0;
    for (int row = 1; row <= 12; row++) {
        if (std::fscanf(input, " %12c", board[row] + 1) != 1)
            return 1;
        for (int column = 1; column <= 12; column++)
            disks += board[row][column] != '.';
    }
    // Files that it left in its last turn are where it left them, whatever its opponents do.
    std::FILE *notes = std::fopen("playdata.txt", "r");
    int before = 0;
    if (notes && (std::fscanf(notes, "%d", &before) != 1 || before >= disks))
        return 1;
    if (!(notes = std::fopen("playdata.txt", "w")))
        return 1;
    std::fprintf(notes, "%d\n", disks);
    if (std::fclose(notes) != 0)
        return 1;
    std::FILE *output = std::fopen("output.txt", "w");
    if (!output)
        return 1;
    char enemy = side == 'X' ? 'O' : 'X';
    int legal[144], count = 0;
    unsigned lot = GIVES_UP;
    for (int square = 0; square < 144; square++) {
        int row = square / 12 + 1, column = square % 12 + 1;
        lot = (lot ^ (unsigned char)board[row][column]) * 16777619u;
        if (board[row][column] == '.' && flips(row, column, side, enemy))
            legal[count++] = square;
    }
    int square = legal[(lot >> 8) % count];
    if (disks < GIVES_UP)
        std::fprintf(output, "%c%d\n%s", 'a' + square % 12, square / 12 + 1, TAIL);
    return std::fclose(output);
}
